"""How models are spoken to: one seam, one file per wire format, and the extractive model."""
