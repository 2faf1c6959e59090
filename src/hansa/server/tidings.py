"""What people who are away are told, in their own language."""

from __future__ import annotations

from typing import Literal

import msgspec

from hansa.boards import files
from hansa.server.wire.calls import Lang

__all__ = ["Kind", "Tiding", "board_name", "letter_words", "sentence"]

Kind = Literal[
    "turn", "full", "begins", "over", "undo", "end", "standin", "rematch", "invited", "test", "hello",
]  # fmt: skip


class Tiding(msgspec.Struct, kw_only=True, frozen=True):
    """Something that happened at a table."""

    kind: Kind
    #: Makes it the only one of its kind, whoever notices it, however often.
    key: str
    game: str
    table: str
    board: str
    #: Whose turn it is, who asks, who won: a name as the table shows it.
    who: str = ""
    #: Milliseconds on the clock of whoever decides.
    left: int | None = None


_BOARDS: dict[str, dict[Lang, str]] = {
    "hansa": {"en": "The Hanseatic League", "de": "Die Hanse", "ja": "ハンザ同盟"},
    "east": {"en": "The Eastern League", "de": "Die Osthanse", "ja": "東ハンザ同盟"},
    "britannia": {"en": "Britannia", "de": "Britannia", "ja": "ブリタニア"},
}

#: To one person: no word in them was chosen by anybody else.
_YOU: dict[Lang, dict[Kind, str]] = {
    "en": {
        "turn": "It is your turn",
        "full": "Your table is full",
        "begins": "Your game begins",
        "over": "Your game is over",
        "undo": "Somebody asks you to agree to an undo",
        "end": "Somebody asks you to agree to end the game",
        "standin": "A machine plays for you: you can take your seat back",
        "rematch": "Somebody asks you for a rematch",
        "invited": "Somebody you follow invites you to a table",
        "test": "This is a test: you will be told like this when it is your turn",
    },
    "de": {
        "turn": "Du bist am Zug",
        "full": "Dein Tisch ist voll",
        "begins": "Dein Spiel beginnt",
        "over": "Dein Spiel ist zu Ende",
        "undo": "Jemand bittet dich, einer Rücknahme zuzustimmen",
        "end": "Jemand bittet dich, dem Ende des Spiels zuzustimmen",
        "standin": "Eine Maschine spielt für dich: Du kannst deinen Platz zurücknehmen",
        "rematch": "Jemand bittet dich um eine Revanche",
        "invited": "Jemand, dem du folgst, lädt dich an einen Tisch ein",
        "test": "Das ist ein Test: So erfährst du, wenn du am Zug bist",
    },
    "ja": {
        "turn": "あなたの手番です",
        "full": "あなたの卓が満席になりました",
        "begins": "あなたのゲームが始まりました",
        "over": "あなたのゲームが終了しました",
        "undo": "取り消しへの同意を求められています",
        "end": "ゲームを終えることへの同意を求められています",
        "standin": "コンピュータが代行しています。席はいつでも取り戻せます",
        "rematch": "もう一度遊ぼうと誘われています",
        "invited": "フォロー中の人があなたを卓に招待しています",
        "test": "これはテストです。手番が来るとこのようにお知らせします",
    },
}

#: To everybody at a table, through its webhook.
_ALL: dict[Lang, dict[Kind, str]] = {
    "en": {
        "turn": "It is {who}'s turn",
        "full": "The table is full",
        "begins": "The game begins; {who} decides first",
        "over": "The game is over; {who} won",
        "undo": "{who} asks to undo",
        "end": "{who} asks to end the game",
        "standin": "A machine plays for {who}",
        "rematch": "{who} asks for a rematch",
        "hello": "News of this table will come here",
    },
    "de": {
        "turn": "{who} ist am Zug",
        "full": "Der Tisch ist voll",
        "begins": "Das Spiel beginnt; {who} entscheidet zuerst",
        "over": "Das Spiel ist zu Ende; gewonnen hat: {who}",
        "undo": "{who} bittet um eine Rücknahme",
        "end": "{who} bittet darum, das Spiel zu beenden",
        "standin": "Für {who} spielt eine Maschine",
        "rematch": "{who} bittet um eine Revanche",
        "hello": "Hierher kommen die Nachrichten dieses Tisches",
    },
    "ja": {
        "turn": "{who}さんの手番です",
        "full": "卓が満席になりました",
        "begins": "ゲームが始まりました。最初は{who}さんです",
        "over": "ゲームが終了しました。勝者：{who}",
        "undo": "{who}さんが取り消しを求めています",
        "end": "{who}さんがゲームの終了を求めています",
        "standin": "コンピュータが{who}さんの代行をしています",
        "rematch": "{who}さんがもう一度遊ぼうと誘っています",
        "hello": "この卓のお知らせはここに届きます",
    },
}
_OVER_ALONE: dict[Lang, str] = {
    "en": "The game is over",
    "de": "Das Spiel ist zu Ende",
    "ja": "ゲームが終了しました",
}
_LEFT: dict[Lang, str] = {
    "en": "Time left: {left}",
    "de": "Restzeit: {left}",
    "ja": "残り時間：{left}",
}
_UNITS: dict[Lang, tuple[str, str, str]] = {
    "en": ("{} d", "{} h", "{} min"),
    "de": ("{} Tg.", "{} Std.", "{} Min."),
    "ja": ("{}日", "{}時間", "{}分"),
}
_LETTERS: dict[Lang, dict[str, str]] = {
    "en": {
        "ask": "Hansa: shall we write to you?",
        "ask_text": "Somebody gave this address so that Hansa writes there when it is their "
        "turn.\n\nIf that was you, open this link and press the button:\n{link}\n\n"
        "If it was not you, do nothing: nothing more will come.",
        "stop": "No more e-mails like this: {link}",
        "shall": "Shall Hansa write to {address} when it is your turn?",
        "shall_not": "Shall Hansa no longer write to {address}?",
        "yes": "Yes",
        "will": "Done: Hansa will write to {address} when it is your turn.",
        "will_not": "Done: Hansa will no longer write to {address}.",
        "home": "To the start page",
        "forgot": "Hansa: a new password",
        "forgot_text": "Somebody asked for a new password for the account {account}.\n\n"
        "If that was you, set it here within two days:\n{link}\n\nThe code, if you are asked for "
        "it: {code}\n\nIf it was not you, do nothing: the old password stays.",
    },
    "de": {
        "ask": "Hansa: Dürfen wir dir schreiben?",
        "ask_text": "Jemand hat diese Adresse angegeben, damit Hansa dorthin schreibt, wenn er oder "
        "sie am Zug ist.\n\nWenn du das warst, öffne diesen Link und drücke den Knopf:\n{link}\n\n"
        "Wenn du es nicht warst, tu nichts: Es kommt nichts weiter.",
        "stop": "Keine solchen E-Mails mehr: {link}",
        "shall": "Soll Hansa an {address} schreiben, wenn du am Zug bist?",
        "shall_not": "Soll Hansa nicht mehr an {address} schreiben?",
        "yes": "Ja",
        "will": "Erledigt: Hansa schreibt an {address}, wenn du am Zug bist.",
        "will_not": "Erledigt: Hansa schreibt nicht mehr an {address}.",
        "home": "Zur Startseite",
        "forgot": "Hansa: ein neues Passwort",
        "forgot_text": "Jemand hat um ein neues Passwort für das Konto {account} gebeten.\n\n"
        "Wenn du das warst, lege es hier innerhalb von zwei Tagen fest:\n{link}\n\nDer Code, falls "
        "du danach gefragt wirst: {code}\n\nWenn du es nicht warst, tu nichts: Das alte bleibt.",
    },
    "ja": {
        "ask": "Hansa: お知らせを送ってもよいですか",
        "ask_text": "手番が来たときに Hansa から連絡を受け取るため、このアドレスが登録されました。\n\n"
        "ご自身で登録した場合は、次のリンクを開いてボタンを押してください。\n{link}\n\n"
        "心当たりがない場合は、何もする必要はありません。これ以上メールは届きません。",
        "stop": "このお知らせを止める: {link}",
        "shall": "手番が来たときに {address} へお知らせを送ってもよいですか。",
        "shall_not": "{address} へのお知らせを止めますか。",
        "yes": "はい",
        "will": "完了しました。手番が来ると {address} へお知らせします。",
        "will_not": "完了しました。{address} へのお知らせを止めました。",
        "home": "トップページへ",
        "forgot": "Hansa: 新しいパスワード",
        "forgot_text": "アカウント {account} のパスワード再設定の申し込みがありました。\n\n"
        "ご自身で申し込んだ場合は、2日以内に次のリンクから設定してください。\n{link}\n\n"
        "コードを求められたら：{code}\n\n心当たりがない場合は、何もする必要はありません。"
        "パスワードは変わりません。",
    },
}


def letter_words(lang: Lang, key: str) -> str:
    """A text of letters and of the pages their links open."""
    return _LETTERS[lang][key]


def board_name(board: str, lang: Lang) -> str:
    """What a side of a board is called; those of extensions have one name."""
    given = files.data(board)
    return _BOARDS.get(given["family"], {}).get(lang, str(given["name"]))


def sentence(tiding: Tiding, lang: Lang, *, to_all: bool) -> str:
    """One sentence: to everybody with names, to one person without."""
    if not to_all:
        said = _YOU[lang][tiding.kind]
    elif tiding.kind == "over" and not tiding.who:
        said = _OVER_ALONE[lang]
    else:
        said = _ALL[lang][tiding.kind].replace("{who}", tiding.who)
    if tiding.left is not None:
        said += " · " + _LEFT[lang].format(left=_span(tiding.left, lang))
    return said


def _span(milliseconds: int, lang: Lang) -> str:
    minutes = max(0, milliseconds) // 60_000
    parts = (minutes // 1440, minutes // 60 % 24, minutes % 60)
    shown = [
        unit.format(amount) for unit, amount in zip(_UNITS[lang], parts, strict=True) if amount
    ]
    return " ".join(shown[:2]) or _UNITS[lang][2].format(0)
