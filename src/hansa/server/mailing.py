"""Letters go out through the club's own mail account, and through nothing else."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import TYPE_CHECKING, Literal

import structlog

if TYPE_CHECKING:
    from hansa.server.config import Config

__all__ = ["Mailer", "Outcome", "is_mail", "mailbox"]

_log = structlog.get_logger()
#: `later`: it may work if tried again; `never`: it will not.
Outcome = Literal["sent", "later", "never"]
_MAIL = re.compile(r"[\w.+'-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,6}", re.ASCII)
_PATIENCE = 10.0
#: What is refused is the club's account, not a letter; for good, or because it wrote too much just now.
_ACCOUNT = (smtplib.SMTPAuthenticationError, smtplib.SMTPSenderRefused)


def is_mail(address: str) -> bool:
    """Whether the address is one to send e-mail to."""
    return _MAIL.fullmatch(address) is not None


def mailbox(address: str) -> str:
    """The box behind an address: many addresses with a `+`, and at some hosts with dots, lead to one."""
    name, _, host = address.lower().partition("@")
    return f"{name.partition('+')[0].replace('.', '')}@{host}"


class Mailer:
    """Knows the account; blocks while it sends."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def send(self, to: str, subject: str, body: str, stop: str | None) -> Outcome:
        """One letter; `stop` is the address that ends them with one click (RFC 8058)."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self._config.mail_from, to, subject
        letter["Date"] = formatdate(usegmt=True)
        letter["Message-ID"] = make_msgid(domain=_domain(self._config.mail_from))
        letter["Auto-Submitted"] = "auto-generated"
        if stop is not None:
            letter["List-Unsubscribe"] = f"<{stop}>"
            letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        letter.set_content(body)
        try:
            self._hand_over(letter)
        except smtplib.SMTPRecipientsRefused as error:
            refused = max(code for code, _ in error.recipients.values())
            return "never" if refused >= 500 else "later"
        except smtplib.SMTPResponseException as error:
            if error.smtp_code < 500:
                return "later"
            if isinstance(error, _ACCOUNT):
                # The host's to mend: trying on would only have the account locked.
                _log.error("the mail account is refused", code=error.smtp_code)
            return "never"
        except (OSError, smtplib.SMTPException) as error:
            # Its kind and no more: what a server says may hold the address.
            _log.warning("a letter cannot be handed over", error=type(error).__name__)
            return "later"
        return "sent"

    def _hand_over(self, letter: EmailMessage) -> None:
        config = self._config
        secure = ssl.create_default_context()
        if config.mail_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                config.mail_host, config.mail_port or 465, timeout=_PATIENCE, context=secure
            )
        else:
            server = smtplib.SMTP(config.mail_host, config.mail_port or 587, timeout=_PATIENCE)
        with server:
            if config.mail_security == "starttls":
                server.starttls(context=secure)
            if config.mail_user:
                server.login(config.mail_user, config.mail_password)
            server.send_message(letter)


def _domain(address: str) -> str:
    return parseaddr(address)[1].partition("@")[2] or "localhost"
