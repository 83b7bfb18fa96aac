"""Every shape that is refused, what must not be refused, and that no text takes long.

The secrets are put together here, so that no file of this repository holds one.
"""

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mneme_git.memories.secret_shapes import SHAPES
from mneme_git.memories.secrets import Secret, find_secret

CHANCE = random.Random(7)
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
MIXED = string.ascii_letters + string.digits


def some(count, signs=MIXED):
    """Return ``count`` signs by chance, a letter first and a digit last."""
    letters = [sign for sign in signs if sign.isalpha()]
    middle = "".join(CHANCE.choice(signs) for _ in range(count - 2))
    return CHANCE.choice(letters) + middle + CHANCE.choice("23456789")


PEM = "-----BEGIN {}-----\n" + some(60) + "\n-----END {}-----"
TOKENS = [
    ("a private key", PEM.replace("{}", "PRIVATE " + "KEY")),
    ("a private key", PEM.replace("{}", "RSA PRIVATE " + "KEY")),
    ("a private key", PEM.replace("{}", "OPENSSH PRIVATE " + "KEY")),
    ("a private key", PEM.replace("{}", "ENCRYPTED PRIVATE " + "KEY").replace("\n", "\r\n")),
    ("a private key", PEM.replace("{}", "EC PRIVATE " + "KEY").replace("\n", "\\n")),
    ("a PGP private key", "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\nVersion: x\n\n" + some(60)),
    ("a PuTTY private key", "PuTTY-User-Key-" + "File-3: ssh-ed25519"),
    ("a private JSON web key", '{"kty": "EC", "d": "' + some(43) + '"}'),
    ("an age secret key", "AGE-SECRET-KEY-1" + some(58, UPPER)),
    ("an AWS access key", "AKIA" + some(16, UPPER)),
    ("an AWS access key", "AKIA" + "IOSFODNN7" + "EXAMPLE"),
    ("an AWS access key", "ASIA" + some(16, UPPER)),
    *(("a GitHub token", f"gh{kind}_" + some(36)) for kind in "pousr"),
    ("a GitHub token", "github_pat_" + some(22) + "_" + some(59)),
    ("a GitLab token", "glpat-" + some(20)),
    *(("a Slack token", f"xox{kind}-" + "123456789012-" + some(24)) for kind in "abepors"),
    ("a Slack webhook", "https://hooks.slack.com/services/T" + some(9, UPPER) + "/B" + some(9, UPPER) + "/" + some(24)),
    ("a Stripe key", "sk_live_" + some(24)),
    ("a Stripe key", "rk_live_" + some(24)),
    ("a Google API key", "AIza" + some(35)),
    ("a Google OAuth secret", "GOCSPX-" + some(28)),
    ("a Google OAuth token", "ya29." + some(60)),
    ("an Anthropic key", "sk-ant-api03-" + some(90)),
    ("an OpenAI key", "sk-proj-" + some(60)),
    ("an OpenRouter key", "sk-or-v1-" + some(64, HEX)),
    ("an API key that begins with sk-", "sk-" + some(20) + "T3BlbkFJ" + some(20)),
    ("a Groq key", "gsk_" + some(52)),
    ("an xAI key", "xai-" + some(80)),
    ("a Perplexity key", "pplx-" + some(48)),
    ("a Hugging Face token", "hf_" + some(34)),
    ("a Replicate token", "r8_" + some(37)),
    ("an npm token", "npm_" + some(36)),
    ("a PyPI token", "pypi-AgEIcHlwaS5vcmc" + some(60)),
    ("a RubyGems key", "rubygems_" + some(48, HEX)),
    ("a NuGet key", "oy2" + some(43, string.ascii_lowercase + string.digits)),
    ("a crates.io token", "cio" + some(32)),
    ("a Docker token", "dckr_pat_" + some(27)),
    ("a SendGrid key", "SG." + some(22) + "." + some(43)),
    ("a Twilio key", "SK" + some(32, HEX)),
    ("a Mailgun key", "key-" + some(32, HEX)),
    ("a Mailchimp key", some(32, HEX) + "-us12"),
    ("a Telegram bot token", "123456789:AA" + some(33)),
    ("a Discord bot token", "M" + some(23) + "." + some(6) + "." + some(27)),
    ("a Discord webhook", "https://discord.com/api/webhooks/123456789012345678/" + some(68)),
    ("a Square token", "sq0atp-" + some(22)),
    ("a Shopify token", "shpat_" + some(32, HEX)),
    ("a Databricks token", "dapi" + some(32, HEX)),
    ("a DigitalOcean token", "dop_v1_" + some(64, HEX)),
    ("a Grafana token", "glsa_" + some(32) + "_" + some(8, HEX)),
    ("a Linear key", "lin_api_" + some(40)),
    ("a Notion token", "ntn_" + some(46)),
    ("a Postman key", "PMAK-" + some(24, HEX) + "-" + some(34, HEX)),
    ("an Atlassian token", "ATATT3" + some(180)),
    ("a Vault token", "hvs." + some(90)),
    ("a Terraform token", some(14) + ".atlasv1." + some(67)),
    ("a Supabase token", "sbp_" + some(40, HEX)),
    ("a Netlify token", "nfp_" + some(36)),
    ("a PlanetScale secret", "pscale_pw_" + some(43)),
    ("a Sentry token", "sntryu_" + some(64, HEX)),
    ("a New Relic key", "NRAK-" + some(27, UPPER)),
    ("a Heroku key", "HRKU-" + some(60)),
    ("a Figma token", "figd_" + some(40)),
    ("a Doppler token", "dp.st.prd." + some(40)),
    ("a Dynatrace token", "dt0c01." + some(24, UPPER) + "." + some(64, UPPER)),
    ("an Artifactory token", "AKCp" + some(69)),
    ("a JSON web token", "eyJ" + some(30) + ".eyJ" + some(40) + "." + some(43)),
    ("an Azure connection string", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + some(86) + "=="),
    ("an Azure connection string", "Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=" + some(43) + "="),
    ("an Azure signature", "https://a.blob.core.windows.net/b?sv=2022-11-02&sig=" + some(43) + "%3D"),
    ("an Azure client secret", some(3) + "8Q~" + some(34)),
]  # fmt: skip
GIVEN = [
    'password = "hunter2"',
    "password: hunter2",
    "DB_PASSWORD=s3cr3tPw",
    'password: str = "P@ssw0rd!x"',
    "mysql --password=Tr0ub4dor",
    "deploy --token " + some(20),
    "API_KEY=" + some(20),
    'api_key: "' + some(32, HEX) + '"',
    '{"apiKey": "' + some(24) + '"}',
    "secret = '" + some(24) + "'",
    "const apiSecret = `" + some(30) + "`",
    "TOKEN=" + some(16),
    "export GITHUB_TOKEN=" + some(40, HEX),
    "auth_token: " + some(32, HEX),
    "API key: " + some(32, HEX),
    "the token is " + some(24),
    'os.environ["API_KEY"] = "' + some(30) + '"',
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/" + some(18),
    "client_secret=" + "abcdef1234567890" * 2,
    'SECRET_KEY = "django-insecure-' + some(40) + '"',
    'cmd = "export TOKEN=' + some(20) + '"',
    'if token == "' + some(20) + '":',
]
PLACES = [
    ("a password in a URL", "postgres://app:s3cr3t@db.internal/shop"),
    ("a password in a URL", "git clone https://me:" + some(12) + "@git.acme.dev/x.git"),
    ("a password in a URL", "redis://:hunter2@cache:6379"),
    ("credentials in a header", "Authorization: Bearer " + some(30)),
    ("credentials in a header", "curl -H 'authorization: Basic dXNlcjpwYXNz'"),
]
NO_SECRETS = [
    "",
    "commit " + some(40, HEX),
    "fixed by " + some(40, HEX) + ", see also " + some(7, HEX),
    "tree " + some(64, HEX),
    "sha256: " + some(64, HEX),
    "sha256sum " + some(64, HEX) + "  dist/app.tar.gz",
    'token_sha256 = "' + some(64, HEX) + '"',
    'cache_key = "' + some(40, HEX) + '"',
    "version_id: dver-" + some(32, HEX),
    "proposal prop-" + some(32, HEX),
    "request 550e8400-e29b-41d4-a716-446655440000 failed",
    'api_key = "550e8400-e29b-41d4-a716-446655440000"',
    "password = get_password()",
    "password = getpass2(prompt)",
    'password = os.environ["DB_PASSWORD2"]',
    'password = input("Password2: ")',
    "password=self.password2",
    "password=new_password_2",
    'token = request.headers.get("X-Token-1")',
    "api_key=settings.API_KEY",
    "token: str = Depends(oauth2_scheme)",
    "token = tokenizer.next_token2()",
    "api_key: Optional[str] = None",
    "csrf_token = form.hidden_tag()",
    "API_KEY=${API_KEY}",
    "API_KEY=<your-key>",
    "API_KEY=" + "x" * 24,
    "API_KEY={{ vault.api_key_2024_prod }}",
    'password = "' + "x" * 8 + '"',
    'password = "password"',
    'password = "admin123"',
    "password: changeme",
    "password: ********",
    "password=$2",
    "pwd=$(pwd)/build2",
    "PWD=/home/dev/proj2",
    "GITHUB_TOKEN=ghp_" + "x" * 36,
    "use ghp_" + "*" * 36,
    "a token begins with ghp_ or github_pat_",
    "token=<token>",
    'token = "abc"',
    'API_KEY="test-key-123456"',
    '"token": "string"',
    "token_budget: 16000 and max_tokens=4096",
    'password_field = "user_password_1"',
    "passwords are hashed: sha256, later argon2id",
    "the password is stored hashed with argon2id",
    "password: at least 12 characters",
    "Password = Annotated[str, MinLen(12)]",
    'secret_name: "projects/my-project/secrets/db/versions/3"',
    "secretKeyRef: name",
    "kubectl get secret my-secret-v2-deployment -o yaml",
    "secret: kubernetes.io/service-account-token",
    "private_key = ~/.ssh/id_ed25519_work",
    "private_key: ed25519.Ed25519PrivateKey",
    "private_key: PKCS7PrivateKeyTypes",
    "api_key = MLKEM768X25519PrivateKey",
    "access_token_url=https://auth.acme.io/oauth2/token/v2",
    "refresh_token: jwt_refresh_token_v2_handler",
    "token: claude-haiku-4-5-20251001",
    "postgres://user:password@localhost/db",
    "postgres://postgres:postgres@localhost:5432/test",
    "postgres://$USER:$PASS@db",
    "postgres://<user>:<password>@db",
    "https://acme.dev:8080/a@b",
    "git@github.com:acme/shop.git",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN_FROM_ENV1",
    "a key file begins with `-----BEGIN RSA PRIVATE " + "KEY-----`",
    "grep 'BEGIN PRIVATE " + "KEY' finds them",
    '"integrity": "sha512-' + some(80) + '=="',
    'public_key = "' + some(40) + '"',
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA" + some(43),
    "![x](data:image/png;base64," + some(400, MIXED + "+/") + ")",
    ".sk-folding-cube-container-large { }",
    "sk-internationalization is a class",
    "passwd:1000:1000:Jane,,,:/home/jane:/bin/bash",
    "keyboard: dvorak123456789012",
    'monkey = "abc123def456ghi789jk"',
    "the key is user_id_created_at_2024",
    'password_hash = "$2b$12$' + some(50) + '"',
    "primary key: (tenant_id, created_at)",
    "顧客のパスワード: 管理画面で変更する",
]


@pytest.mark.parametrize(("kind", "text"), TOKENS, ids=lambda value: value[:24])
def test_a_token_is_known_by_its_shape(kind, text):
    assert find_secret(text) == Secret(kind, 1)
    assert find_secret(f"first line\n\nuse `{text}` here\n") == Secret(kind, 3)
    assert find_secret(f'{{"x":"{text}"}}') is not None


def test_every_shape_has_an_example():
    assert {shape.kind for shape in SHAPES} == {kind for kind, _ in TOKENS}


@pytest.mark.parametrize("text", GIVEN, ids=lambda text: text[:30])
def test_what_is_given_to_the_name_of_a_secret_is_one_if_it_looks_made_by_chance(text):
    found = find_secret(f"# settings\n{text}\n")
    assert found is not None
    assert found.kind.startswith("an assigned ")
    assert found.line == 2


@pytest.mark.parametrize(("kind", "text"), PLACES, ids=lambda value: value[:24])
def test_credentials_are_known_by_where_they_stand(kind, text):
    assert find_secret(text) == Secret(kind, 1)


@pytest.mark.parametrize("text", NO_SECRETS, ids=lambda text: text[:40])
def test_ids_sums_code_and_placeholders_are_no_secrets(text):
    assert find_secret(text) is None


def test_the_first_of_several_is_told():
    both = "x\npassword = 'hunter2'\n" + TOKENS[0][1]
    assert find_secret(both) == Secret("an assigned password", 2)


def test_a_kind_never_repeats_the_secret():
    for _, text in TOKENS:
        found = find_secret(text)
        assert found is not None
        assert not any(part in found.kind for part in text.split() if len(part) > 12)


@given(st.text())
def test_any_text_is_judged(text):
    found = find_secret(text)
    assert found is None or 1 <= found.line <= text.count("\n") + 1


HOSTILE = {
    "prose": "The quick brown fox jumps over the lazy dog. ",
    "assignments": "token=",
    "short values": "token=aaaaaaaa ",
    "quotes": "token=\"token='token=`",
    "many names": "".join(f"token{number}=a{number}b " for number in range(1_200)),
    "web tokens": "eyJ",
    "web tokens, half": "eyJaaaaaaaa.",
    "addresses": "://a:",
    "headers": "authorization: bearer ",
    "one long word": "a",
    "key headers": "-----BEGIN RSA PRIVATE " + "KEY-----\n",
    "halves of headers": "-----BEGIN A A ",
    "blank lines": "-----BEGIN PRIVATE " + "KEY-----" + "\n" * 16_000,
    "web keys": '"kty" "d":"',
    "bots": "M" + "a" * 23 + ".",
    "lists": "-us" + "ab12" * 4_000,
    "prefixes": "sk-",
    "spaces": "token        ",
    "options": "--token ",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_time_grows_with_the_length_of_a_text_and_no_faster(name):
    def seconds(length):
        text = (HOSTILE[name] * (length // len(HOSTILE[name]) + 1))[:length]
        times = []
        for _ in range(3):
            began = time.process_time()
            find_secret(text)
            times.append(time.process_time() - began)
        return min(times)

    assert seconds(128_000) < 24 * max(seconds(16_000), 0.001)  # eight times the text
    assert seconds(16_000) < 0.1
