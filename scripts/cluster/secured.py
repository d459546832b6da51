"""Nodes with the security plugin: TLS by an authority of their own, users, and their rights.

The plugin is a zip among Maven's artefacts. Its users are those of its demonstration, whose
passwords are their names: `admin` may do everything, `readall` may only read.
"""

import shutil
import ssl
import urllib.request
import zipfile
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from functools import cached_property
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from filelock import FileLock

from scripts.cluster.artefacts import VERSION, copy_one, server_home

PLUGIN = f"org.opensearch.plugin:opensearch-security:{VERSION}.0:zip"

_SETTINGS = """
plugins.security.ssl.transport.pemcert_filepath: node.pem
plugins.security.ssl.transport.pemkey_filepath: node-key.pem
plugins.security.ssl.transport.pemtrustedcas_filepath: ca.pem
plugins.security.ssl.transport.enforce_hostname_verification: false
plugins.security.ssl.http.enabled: true
plugins.security.ssl.http.pemcert_filepath: node.pem
plugins.security.ssl.http.pemkey_filepath: node-key.pem
plugins.security.ssl.http.pemtrustedcas_filepath: ca.pem
plugins.security.allow_default_init_securityindex: true
plugins.security.nodes_dn: ["CN=node"]
"""


class Security:
    """What makes nodes below `root` secure: their server, certificates, and how they are asked."""

    scheme = "https"

    def __init__(self, root: Path, certificates: Path) -> None:
        self._root, self._certificates = root, certificates

    @cached_property
    def home(self) -> Path:
        """The server with the plugin, laid out if it is not yet. Raises CannotStartCluster."""
        plain = server_home(self._root)
        home = plain.with_name(f"{plain.name}-secured")
        with FileLock(self._root / "secured.lock"):
            if not home.is_dir():
                made = home.with_name(f"{home.name}.part")
                shutil.rmtree(made, ignore_errors=True)
                archive = copy_one(PLUGIN, self._root)
                shutil.copytree(plain, made)
                with zipfile.ZipFile(archive) as zipped:
                    zipped.extractall(made / "plugins" / "opensearch-security")
                archive.unlink()
                made.replace(home)
        return home

    @property
    def ca_file(self) -> Path:
        """The certificate of the authority."""
        return self._certificates / "ca.pem"

    def configure(self, config: Path) -> str:
        """Put what the plugin reads into a node's folder of settings; give the settings."""
        if not self.ca_file.exists():
            make_certificates(self._certificates)
        for file in self._certificates.iterdir():
            shutil.copy(file, config)
        shutil.copytree(
            self.home / "plugins" / "opensearch-security" / "config", config / "opensearch-security"
        )
        return _SETTINGS

    def request(self, url: str) -> tuple[urllib.request.Request, ssl.SSLContext]:
        """Give how an address is asked by who may do everything."""
        word = b64encode(b"admin:admin").decode()
        request = urllib.request.Request(url, headers={"Authorization": f"Basic {word}"})
        return request, ssl.create_default_context(cafile=str(self.ca_file))


def make_certificates(folder: Path, host: str = "127.0.0.1") -> None:
    """Write an authority's certificate and a node's with its key, good for a day, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    now, keys, signer = datetime.now(UTC), {}, x509.Name([])
    for name in ("ca", "node"):
        keys[name] = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        signer = subject if name == "ca" else signer
        made = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(signer)
            .public_key(keys[name].public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(name == "ca", None), critical=True)
        )  # fmt: skip
        if name == "node":
            address = x509.IPAddress(ip_address(host))
            made = made.add_extension(x509.SubjectAlternativeName([address]), critical=False)
        pem = made.sign(keys["ca"], hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        (folder / f"{name}.pem").write_bytes(pem)
    form, secret = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    key = keys["node"].private_bytes(serialization.Encoding.PEM, form, secret)
    (folder / "node-key.pem").write_bytes(key)
