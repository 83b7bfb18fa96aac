"""The shapes of tokens and keys that well-known services and programs give out, as data.

Each row has the kind in words, texts of which one must occur (so that most rows cost one search), and
the pattern. A pattern begins where no token character stands before it, and its repeats are possessive:
a text is read once, whatever is in it.
"""

import re

from msgspec import Struct

_START = r"(?<![A-Za-z0-9_])"
_START_WIDE = r"(?<![A-Za-z0-9+/=_-])"
_END = r"(?![A-Za-z0-9])"


class Shape(Struct, frozen=True):
    """A kind of secret that is known by its form."""

    kind: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


def _token(kind: str, needles: str, rest: str, *, start: str = _START, end: str = _END) -> Shape:
    """Return a shape: one of the ``needles`` (divided by blanks), then ``rest``."""
    words = tuple(needles.split())
    either = "|".join(map(re.escape, words))
    return Shape(kind, words, re.compile(f"{start}(?:{either}){rest}{end}"))


def _form(kind: str, needles: str, pattern: str) -> Shape:
    return Shape(kind, tuple(needles.split()), re.compile(pattern))


_B62 = "[A-Za-z0-9]"
_B64U = "[A-Za-z0-9_-]"
_HEX = "[0-9a-f]"
_KEY_BODY = (  # a key, and not a sentence about where a key begins
    r"(?:[ \t]*+(?:\r?\n|\\r\\n|\\n)\s*+[A-Za-z0-9+/]{4}|[ \t]*+[A-Za-z0-9+/]{24})"
)

SHAPES = (
    _form("a PGP private key", "PRIVATE", r"-----BEGIN PGP PRIVATE KEY BLOCK-----" + _KEY_BODY),
    _form("a private key", "PRIVATE", r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----" + _KEY_BODY),
    _form("a PuTTY private key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[0-9]: "),
    _form("a private JSON web key", '"kty"', r'"d"\s{0,4}:\s{0,4}"[A-Za-z0-9_-]{32,}+"'),
    _token("an age secret key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", "[A-Z0-9]{50,}+"),
    _token("an AWS access key", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}", start=_START_WIDE),
    _token("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", _B62 + "{30,}+"),
    _token("a GitHub token", "github_pat_", "[A-Za-z0-9_]{22,}+"),
    _token("a GitLab token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glagent-", _B64U + "{16,}+"),
    _token("a Slack token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", "[A-Za-z0-9-]{10,}+"),
    _token("a Slack webhook", "hooks.slack.com/services/", f"T{_B62}{{6,}}+/B{_B62}{{6,}}+/{_B62}{{16,}}+"),
    _token("a Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", _B62 + "{16,}+"),
    _token("a Google API key", "AIza", _B64U + "{35}", start=_START_WIDE),
    _token("a Google OAuth secret", "GOCSPX-", _B64U + "{20,}+"),
    _token("a Google OAuth token", "ya29.", _B64U + "{20,}+"),
    _token("an Anthropic key", "sk-ant-", _B64U + "{16,}+"),
    _token("an OpenAI key", "sk-proj- sk-svcacct- sk-admin-", _B64U + "{16,}+"),
    _token("an OpenRouter key", "sk-or-v1-", _HEX + "{32,}+"),
    _token(
        "an API key that begins with sk-",
        "sk-",
        f"(?=[A-Za-z]{{0,60}}[0-9A-Z]){_B62}{{20,}}+",
        start=_START_WIDE,
    ),
    _token("a Groq key", "gsk_", _B62 + "{32,}+"),
    _token("an xAI key", "xai-", _B62 + "{40,}+"),
    _token("a Perplexity key", "pplx-", _B62 + "{32,}+"),
    _token("a Hugging Face token", "hf_ api_org_", _B62 + "{30,}+"),
    _token("a Replicate token", "r8_", _B62 + "{37}"),
    _token("an npm token", "npm_", _B62 + "{30,}+"),
    _token("a PyPI token", "pypi-Ag", _B64U + "{16,}+"),
    _token("a RubyGems key", "rubygems_", _HEX + "{48}"),
    _token("a NuGet key", "oy2", "[a-z0-9]{43}", start=_START_WIDE),
    _token("a crates.io token", "cio", "(?=[A-Za-z]{0,31}[0-9])" + _B62 + "{32}", start=_START_WIDE),
    _token("a Docker token", "dckr_pat_ dckr_oat_", _B64U + "{20,}+"),
    _token("a SendGrid key", "SG.", r"[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
    _token("a Twilio key", "SK", _HEX + "{32}", start=_START_WIDE),
    _token("a Mailgun key", "key-", _HEX + "{32}"),
    _form("a Mailchimp key", "-us", r"(?<![0-9a-f])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9-])"),
    _form("a Telegram bot token", ":AA", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])"),
    _form(
        "a Discord bot token",
        ".",
        rf"(?<![A-Za-z0-9_.-])[MNO]{_B64U}{{23,27}}\.{_B64U}{{6}}\.{_B64U}{{27,45}}(?![A-Za-z0-9_-])",
    ),
    _form(
        "a Discord webhook",
        "/api/webhooks/",
        rf"discord(?:app)?\.com/api/webhooks/[0-9]{{10,20}}/{_B64U}{{30,}}+",
    ),
    _token("a Square token", "sq0atp- sq0csp- sq0idp-", _B64U + "{20,}+"),
    _token("a Shopify token", "shpat_ shpca_ shppa_ shpss_", "[0-9a-fA-F]{32}"),
    _token("a Databricks token", "dapi", _HEX + "{32}", start=_START_WIDE),
    _token("a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", _HEX + "{64}"),
    _token("a Grafana token", "glsa_ glc_", "[A-Za-z0-9_+/=]{32,}+"),
    _token("a Linear key", "lin_api_ lin_oauth_", _B62 + "{32,}+"),
    _token("a Notion token", "ntn_", _B62 + "{40,}+"),
    _token("a Postman key", "PMAK-", _HEX + "{24}-" + _HEX + "{34}"),
    _token("an Atlassian token", "ATATT3 ATCTT3 ATBB", "[A-Za-z0-9_=-]{24,}+"),
    _token("a Vault token", "hvs. hvb. hvr.", _B64U + "{24,}+"),
    _form("a Terraform token", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}+"),
    _token("a Supabase token", "sbp_ sb_secret_", _B64U + "{20,}+"),
    _token("a Netlify token", "nfp_", _B62 + "{36,}+"),
    _token("a PlanetScale secret", "pscale_tkn_ pscale_pw_ pscale_oauth_", _B64U + "{32,}+"),
    _token("a Sentry token", "sntrys_ sntryu_", "[A-Za-z0-9_+/=]{40,}+"),
    _token("a New Relic key", "NRAK-", "[A-Z0-9]{27}"),
    _token("a Heroku key", "HRKU-", _B64U + "{36,}+"),
    _token("a Figma token", "figd_", _B64U + "{32,}+"),
    _token("a Doppler token", "dp.pt. dp.st. dp.ct. dp.sa.", "[A-Za-z0-9_.-]{32,}+"),
    _token("a Dynatrace token", "dt0c01. dt0s01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("an Artifactory token", "AKCp", _B62 + "{60,}+", start=_START_WIDE),
    _form(
        "a JSON web token",
        "eyJ",
        rf"(?<![A-Za-z0-9_=-])eyJ{_B64U}{{8,}}+\.eyJ{_B64U}{{4,}}+\.{_B64U}{{8,}}+",
    ),
    _form("an Azure connection string", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{40,}+={0,2}"),
    _form("an Azure connection string", "SharedAccessKey=", r"SharedAccessKey=[A-Za-z0-9+/]{32,}+={0,2}"),
    _form("an Azure signature", "sig=", r"(?<=[?&])sig=[A-Za-z0-9+/%]{40,}+"),
    _form(
        "an Azure client secret",
        "8Q~ 7Q~",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])",
    ),
)
