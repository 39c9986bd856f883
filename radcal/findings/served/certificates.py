"""Whom a server must be certified by: the hospital's own authority alone, or those that the system trusts.

No variable of the environment has a say: ``ssl.create_default_context`` would let SSL_CERT_FILE name other authorities,
and SSLKEYLOGFILE a file for the session's secrets.
"""

from __future__ import annotations

import ssl
import sys
from contextlib import suppress
from pathlib import Path

from radcal.system import inputs
from radcal.system.errors import InputError
from radcal.system.text import Text

_MOST_BYTES = 1 << 20
"""Longest file of certificates that somebody names."""
_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Red Hat, Fedora
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # macOS, Alpine
)
_OTHER_HOST = Text(
    "The certificate that {host} shows is for another host. Name the server as its certificate does, or have the "
    "certificate made for this name."
)
_FAULTS = {  # by the number of OpenSSL's X509_V_ERR_...
    9: Text("The certificate of {host} is not valid yet. Check the date of this computer, and of the certificate."),
    10: Text("The certificate of {host} has expired. Have it renewed by the hospital's IT."),
    62: _OTHER_HOST,  # HOSTNAME_MISMATCH
    64: _OTHER_HOST,  # IP_ADDRESS_MISMATCH
}
_NO_TLS = Text(
    "There is no safe way to {host}: it does not speak TLS 1.2 or later there. Check the address and the port; "
    "https:// needs a server that has a certificate."
)
_NOT_TRUSTED = Text(
    "The certificate of {host} is from no authority that is trusted here. Name the file with the hospital's own "
    "certificate authority, and check with its IT that this is its server."
)


def trusting(ca: str) -> ssl.SSLContext:
    """What checks a server's certificate and name, with TLS 1.2 or later.

    Args:
        ca: the one file of authorities to trust; '' for those of the system.

    Raises:
        InputError: the file cannot be read, or holds no certificate, or the system has no authorities.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if not ca:
        _load_system(context)
        if not context.cert_store_stats()["x509_ca"]:
            raise InputError(
                "This computer names no certificate authorities that RadCal could go by. Name the file with the "
                "hospital's own."
            )
        return context
    with inputs.reading(Path(ca), Text("The file of the certificate authority {path}", path=ca)) as file:
        text = file.read(_MOST_BYTES).decode("ascii", "ignore")  # comments may be in any encoding
    try:
        context.load_verify_locations(cadata=text)
    except (ValueError, ssl.SSLError) as error:
        raise InputError(
            "The file {path} holds no certificate in PEM. Ask the hospital's IT for the certificate of its authority "
            "in that form (it begins with -----BEGIN CERTIFICATE-----).",
            path=ca,
        ) from error
    return context


def fault(error: ssl.SSLError, host: str) -> InputError:
    """What is wrong with the way to a server, and what to do, without what the server says of itself."""
    verified = isinstance(error, ssl.SSLCertVerificationError)
    said = _FAULTS.get(getattr(error, "verify_code", 0), _NOT_TRUSTED) if verified else _NO_TLS
    return InputError(said.with_values(host=host))


def _load_system(context: ssl.SSLContext) -> None:
    if sys.platform == "win32":
        for store in ("CA", "ROOT"):
            for data, encoding, trust in ssl.enum_certificates(store):
                if encoding == "x509_asn" and (trust is True or ssl.Purpose.SERVER_AUTH.oid in trust):
                    with suppress(ssl.SSLError):  # one that cannot be read is trusted by nobody
                        context.load_verify_locations(cadata=data)
        return
    compiled = ssl.get_default_verify_paths()
    for file in dict.fromkeys((compiled.openssl_cafile, *_BUNDLES)):
        if Path(file).is_file():
            with suppress(ssl.SSLError, OSError):
                context.load_verify_locations(cafile=file)
                return
    if Path(compiled.openssl_capath).is_dir():
        with suppress(ssl.SSLError, OSError):
            context.load_verify_locations(capath=compiled.openssl_capath)
