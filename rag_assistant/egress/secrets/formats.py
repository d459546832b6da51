"""The forms of keys and tokens that tell themselves, as their makers document them.

A row is data: what a person calls it, its prefixes, the length and alphabet of the rest. Kinds
whose prefixes are words that code and prose have too are checked: the rest must look random.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rag_assistant.egress.secrets.checks import (
    is_base58_checked,
    is_bech32,
    is_stellar_seed,
    looks_random,
)


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """A form: `rest` is a pattern of what follows any of the prefixes, `check` a test of it all."""

    name: str
    prefixes: tuple[str, ...]
    rest: re.Pattern[str]
    check: Callable[[str], bool] | None = None


_ROWS: tuple[tuple[str, str, str], ...] = (
    # Amazon: access key ids (IAM identifiers), session tokens, Bedrock, Marketplace Web Service
    ("AWS key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
    ("AWS key", "ABSK", r"[A-Za-z0-9+/]{60,280}={0,2}"),
    ("AWS key", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"[A-Za-z0-9+/=%]{60,}"),
    ("AWS key", "amzn.mws.", r"[0-9a-f-]{36}"),
    # Other clouds: Google, Microsoft, Alibaba, Tencent, Yandex, DigitalOcean, Cloudflare, Heroku,
    # Fly, PlanetScale, Supabase, Neon, Netlify, Render, Vercel, Pulumi, Databricks, OpenShift
    ("Google key", "AIza", r"[A-Za-z0-9_-]{35}"),
    ("Google key", "GOCSPX-", r"[A-Za-z0-9_-]{28}"),
    ("Google key", "ya29. 1//0 4/0A AQ.Ab", r"[A-Za-z0-9_-]{20,}"),
    ("access key", "LTAI AKID", r"[A-Za-z0-9]{12,32}"),
    ("cloud key", "AQVN y0_ t1.", r"[A-Za-z0-9_-]{35,}"),
    ("cloud key", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
    ("cloud key", "cfk_ cfut_ cfat_", r"[A-Za-z0-9_-]{40,60}"),
    ("cloud key", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{146}"),
    ("cloud key", "HRKU-", r"[A-Za-z0-9_-]{36,}"),
    ("cloud key", "fo1_ fm1_ fm2_", r"[A-Za-z0-9+/=_-]{40,}"),
    ("cloud key", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{30,}"),
    ("cloud key", "sbp_ pul-", r"[a-f0-9]{40}"),
    ("cloud key", "sb_secret_ napi_ nfp_ rnd_ vca_ vcp_ vci_ vck_ vcr_", r"[A-Za-z0-9_-]{24,}"),
    ("cloud key", "dapi dkea dose", r"[a-f0-9]{32}(?:-[0-9])?"),
    ("cloud key", "sha256~", r"[A-Za-z0-9_-]{43}"),
    # Code: GitHub, GitLab, Atlassian, Trello, CircleCI, Buildkite, Sonar, Snyk, Sourcegraph, and
    # registries: npm, PyPI, RubyGems, crates.io, NuGet, Clojars, Packagist, JFrog, Docker
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,255}"),
    ("GitHub token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    (
        "GitLab token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-"
        " GR1348941",
        r"[A-Za-z0-9_.=-]{20,}",
    ),
    ("Atlassian token", "ATATT3 ATCTT3 ATSTT3", r"[A-Za-z0-9_=-]{50,}"),
    ("Atlassian token", "ATBB ATOA", r"[A-Za-z0-9_=-]{24,}"),
    ("token", "ATTA", r"[a-f0-9]{60,76}"),
    ("token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{20,24}_[a-f0-9]{40}"),
    ("token", "bkua_ bkct_ sqp_ squ_ sqa_", r"[a-f0-9]{40}"),
    ("token", "snyk_", r"[a-z]{2,5}\.[A-Za-z0-9._-]{30,}"),
    ("token", "sgp_", r"(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}"),
    ("token", "slk_", r"[a-f0-9]{64}"),
    ("token", "npm_", r"[A-Za-z0-9]{36}"),
    ("token", "pypi-AgE", r"[A-Za-z0-9_-]{50,}"),
    ("token", "rubygems_", r"[a-f0-9]{48}"),
    ("token", "cio", r"[A-Za-z0-9]{32}"),
    ("token", "oy2", r"[a-z0-9]{43}"),
    ("token", "CLOJARS_", r"[a-f0-9]{60}"),
    ("token", "packagist_", r"[a-z]{3}_[a-f0-9]{68}"),
    ("token", "AKCp cmVmdGtu", r"[A-Za-z0-9]{56,}"),
    ("token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,}"),
    # Keepers of secrets, and networks: Vault, Doppler, 1Password, Bitwarden, age, Tailscale
    ("Vault token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{20,}"),
    ("Vault token", "s.", r"[A-Za-z0-9]{24}"),
    (
        "token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    ("token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{60,}"),
    (
        "account key",
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    ("token", "0.", r"[0-9a-f-]{36}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,}"),
    ("private key", "AGE-SECRET-KEY-1 age-secret-key-1", r"[A-Za-z0-9]{58}"),
    ("token", "tskey-", r"[a-z]{2,10}-[A-Za-z0-9_-]{12,}"),
    # Talk: Slack, Telegram's and Discord's are below, Twilio, mail, social networks
    (
        "Slack token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs-",
        r"[A-Za-z0-9%/+.-]{12,}",
    ),
    ("Slack token", "xapp-", r"[A-Za-z0-9-]{20,}"),
    ("Slack token", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}"),
    ("webhook", "hooks.zapier.com/hooks/catch/", r"[0-9]+/[A-Za-z0-9]{5,}"),
    ("webhook", "maker.ifttt.com/", r"[A-Za-z0-9/_-]{20,}"),
    ("webhook", "chat.googleapis.com/v1/spaces/", r"[A-Za-z0-9/?&=%._-]{40,}"),
    (
        "webhook",
        "open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/",
        r"[0-9a-f-]{36}",
    ),
    ("token", "SK key-", r"[a-f0-9]{32}"),
    ("token", "SG.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("token", "xkeysib- xsmtpsib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    ("token", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    ("token", "EAA IGQV", r"[A-Za-z0-9_-]{80,}"),
    ("token", "AAAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%]{40,}"),
    ("token", "AAAA", r"[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,}"),
    ("token", "oauth:", r"[a-z0-9]{30}"),
    # Money: Stripe, Square, PayPal, Plaid, Shopify, Razorpay, Flutterwave, Mollie, GoCardless, ...
    (
        "Stripe key",
        "sk_live_ sk_test_ sk_org_ rk_live_ rk_test_ ek_live_ ek_test_",
        r"[A-Za-z0-9_]{16,}",
    ),
    ("Stripe key", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    ("token", "EAAA sq0atp- sq0csp-", r"[A-Za-z0-9_-]{22,64}"),
    ("token", "access_token$", r"(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    ("token", "access-production- access-development- access-sandbox-", r"[0-9a-f-]{36}"),
    ("token", "shpat_ shpss_ shpca_ shppa_ shptka_ shpit_", r"[a-fA-F0-9]{32}"),
    ("token", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}"),
    ("token", "FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", r"[A-Za-z0-9]{12,}(?:-X)?"),
    ("token", "live_ test_", r"[A-Za-z0-9_-]{30,43}"),
    ("token", "shippo_live_ shippo_test_", r"[a-f0-9]{40}"),
    ("token", "EZAK EZTK", r"[A-Za-z0-9]{54}"),
    ("token", "duffel_live_ duffel_test_ pdl_live_apikey_ pdl_sdbx_apikey_", r"[A-Za-z0-9_-]{40,}"),
    # Models: OpenAI, Anthropic, OpenRouter and the many who write theirs alike; Groq, xAI,
    # Perplexity, Replicate, Hugging Face, Together, Fireworks, NVIDIA, Cerebras, LangSmith, ...
    ("API key", "sk-", r"[A-Za-z0-9_-]{20,}"),
    ("API key", "gsk_ xai- pplx- tgp_v1_ nvapi- csk- pcsk_ jina_ wandb_v1_", r"[A-Za-z0-9_-]{40,}"),
    ("API key", "r8_", r"[A-Za-z0-9]{37}"),
    ("token", "hf_ api_org_", r"[A-Za-z0-9]{30,}"),
    ("API key", "fw_ esecret_", r"[A-Za-z0-9]{22,}"),
    ("API key", "lsv2_pt_ lsv2_sk_", r"[a-f0-9]{32}_[a-f0-9]{10}"),
    ("API key", "sk_", r"[a-f0-9]{48}"),
    ("API key", "tvly- fc- BSA", r"[A-Za-z0-9_-]{28,}"),
    # Work and data: Notion, Linear, Figma, Airtable, Asana, Dropbox, HubSpot, Postman, ClickUp,
    # Typeform, Contentful, Prefect, PubNub, LaunchDarkly, ReadMe, Pushbullet
    ("token", "secret_ ntn_", r"[A-Za-z0-9]{40,}"),
    ("token", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,}"),
    ("token", "figd_", r"[A-Za-z0-9_-]{38,}"),
    ("token", "pat", r"[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("token", "1/ 2/", r"[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}"),
    ("token", "sl.", r"(?:u\.)?[A-Za-z0-9_-]{60,}"),
    ("token", "pat-na pat-eu pat-ap", r"[0-9]-[0-9a-f-]{36}"),
    ("token", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    ("token", "pk_", r"[0-9]{6,10}_[A-Z0-9]{32}"),
    ("token", "tfp_ CFPAT-", r"[A-Za-z0-9_-]{40,}"),
    ("token", "pnu_", r"[A-Za-z0-9]{36}"),
    ("token", "sec-c-", r"[A-Za-z0-9-]{36,}"),
    ("token", "sdk-", r"[0-9a-f]{8}-[0-9a-f-]{27}"),
    ("token", "rdme_", r"[a-z0-9]{60,}"),
    ("token", "o.", r"[A-Za-z0-9]{32}"),
    # Watching: Grafana, Sentry, New Relic, Dynatrace, Honeycomb, PostHog
    ("token", "glsa_ glc_ eyJrIjoi", r"[A-Za-z0-9+/=_-]{32,}"),
    ("token", "sntrys_ sntryu_ sntrya_", r"[A-Za-z0-9+/=_-]{40,}"),
    ("token", "NRAK- NRII- NRRA- NRBR-", r"[A-Za-z0-9_-]{27,}"),
    ("token", "dt0c01. dt0s01. dt0s02. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    ("token", "hcaik_ hcxik_ hcaic_ hcxic_ phx_", r"[A-Za-z0-9]{40,}"),
    # RFC 7519: header and claims are JSON objects, which begin with {" in base64; JWE has 5 parts
    (
        "web token",
        "eyJ",
        r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}){0,2}",
    ),
    (
        "token",
        "sk.eyJ v4.local. v3.local. v2.local.",
        r"[A-Za-z0-9_-]{30,}(?:\.[A-Za-z0-9_-]{10,})?",
    ),
    # Hashes of passwords as crypt(3) and its successors write them (PHC string format), and LDAP
    (
        "password hash",
        "$1$ $2a$ $2b$ $2x$ $2y$ $5$ $6$ $y$ $7$ $apr1$",
        r"[A-Za-z0-9./$=,+-]{20,200}",
    ),
    (
        "password hash",
        "$argon2id$ $argon2i$ $argon2d$ $scrypt$ $pbkdf2 pbkdf2_sha256$ pbkdf2_sha512$",
        r"[A-Za-z0-9./$=,+-]{20,200}",
    ),
    ("password hash", "{SSHA {SHA", r"(?:256|512)?\}[A-Za-z0-9+/]{27,}={0,2}"),
)

_CHECKED = {"API key", "token", "Vault token", "cloud key", "access key"}
"""Kinds whose prefixes stand before ordinary words as well."""

LONG_FORMS = (
    SecretFormat(
        "private key", (), re.compile(r"[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}"), is_base58_checked
    ),
    SecretFormat(
        "private key",
        (),
        re.compile(r"[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{107,108}"),
        is_base58_checked,
    ),
    SecretFormat("private key", (), re.compile(r"nsec1[02-9ac-hj-np-z]{58}"), is_bech32),
    SecretFormat("private key", (), re.compile(r"S[A-Z2-7]{55}"), is_stellar_seed),
    SecretFormat("token", (), re.compile(r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}", re.ASCII)),
)
"""Keys of coins and of Nostr, which carry their own check digits; a bot of Discord: its number in
base64, a time and a signature."""

INNER: tuple[tuple[str, str, str], ...] = (
    # What tells these stands within: Azure's key signatures, Mailchimp, Telegram, Terraform, ...
    *(
        (
            "Azure key",
            sign,
            r"[A-Za-z0-9+/]{30,80}" + re.escape(sign) + r"[A-Za-z0-9+/]{5,14}={0,2}",
        )
        for sign in ("AzFu", "AzSe", "AzCa", "ACDb", "APIM", "AIoT", "+ASt", "+AMC", "+ACR", "+ABa")
    ),
    ("Azure key", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    ("Azure key", "JQQJ99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{8,26}"),
    ("token", "-us", r"[a-f0-9]{32}-us[0-9]{1,2}"),
    ("token", ":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    ("token", "NRAL", r"[A-Za-z0-9]{36}NRAL"),
    (
        "webhook",
        ".webhook.office.com/",
        r"[a-z0-9-]{1,40}\.webhook\.office\.com/[^\s\"'<>\\)]{40,}",
    ),
    (
        "webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{16,20}/[A-Za-z0-9_-]{40,}",
    ),
    ("webhook", ".make.com/", r"hook\.[a-z0-9]+\.make\.com/[a-z0-9]{24,}"),
)
START = r"(?:(?<![A-Za-z0-9_$\\])|(?<=\\[ntr])|(?<=%3D)|(?<=%3d))"
END = r"(?![A-Za-z0-9_])"


def _forms() -> tuple[SecretFormat, ...]:
    return tuple(
        SecretFormat(
            name,
            tuple(prefixes.split()),
            re.compile(rest + END),
            looks_random if name in _CHECKED else None,
        )
        for name, prefixes, rest in _ROWS
    )


FORMS = _forms()
"""All forms that a prefix tells."""
