"""Names that forms give a text of people, in the languages that sites are written in.

is_text_name("comment_text")  ->  True
is_text_name("descrição")     ->  True
is_text_name("host")          ->  False
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from signoff.actions.vocabulary import lazy_re

_DOTLESS = "\u0131"  # of Turkish
_SIGNS = lazy_re(r"[\W_]+")
_ENGLISH = (
    "text body message messages comment comments description raw title chat reply note notes"
    " steps summary content feedback question answer wikitext wptextbox1 markdown bio motto"
    " caption vulnerabilityinformation impact rawcomment commenttext posttext readme"
    " messagetext details remark remarks review explanation reason bodytext commitmessage"
    " changelog releasenotes abstract story post md"
)
_GERMAN = (
    "kommentar kommentare bemerkung bemerkungen anmerkung anmerkungen nachricht mitteilung"
    " notiz notizen beschreibung inhalt titel beitrag frage antwort hinweis rezension"
    " begründung verwendungszweck opmerking opmerkingen bericht beschrijving tekst inhoud"
    " toelichting vraag antwoord reactie"
)
_NORDIC = (
    "meddelande beskrivning innehåll rubrik fråga svar anteckning besked beskrivelse indhold"
    " bemærkning spørgsmål melding merknad innhold kommentti viesti kuvaus teksti sisältö"
    " otsikko kysymys vastaus huomautus athugasemd skilaboð lýsing"
)
_ROMANCE = (
    "commentaire commentaires remarque remarques texte contenu titre avis réponse motif"
    " comentario comentarios mensaje descripción contenido título observaciones respuesta"
    " pregunta reseña texto opinión mensagem descrição conteúdo observação observações"
    " resposta pergunta avaliação commento commenti messaggio descrizione testo contenuto"
    " titolo osservazioni risposta domanda recensione comentariu mesaj descriere conținut"
    " titlu observații întrebare răspuns comentari missatge descripció contingut títol"
)
_SLAVIC = (
    "komentarz wiadomość opis treść tytuł uwagi pytanie odpowiedź recenzja komentář zpráva"
    " popis obsah nadpis poznámka otázka odpověď komentár správa poruka naslov napomena"
    " pitanje odgovor sporočilo vprašanje комментарий комментарии сообщение описание текст"
    " содержание заголовок вопрос ответ отзыв примечание коментар повідомлення опис зміст"
    " питання відповідь съобщение въпрос отговор"
)
_OTHER = (
    "megjegyzés üzenet leírás szöveg tartalom kérdés válasz yorum mesaj aciklama metin içerik"
    " baslik soru cevap pesan deskripsi isi judul catatan pertanyaan jawaban ulasan bìnhluận"
    " tinnhắn môtả nộidung tiêuđề ghichú σχόλιο μήνυμα περιγραφή κείμενο τίτλος ερώτηση"
    " απάντηση kommentaar sõnum kirjeldus komentārs ziņa apraksts komentaras žinutė aprašymas"
    " コメント メッセージ 説明 内容 本文 備考 質問 回答 评论 评价 留言 备注 描述 正文 댓글"
    " 메시지 설명 내용 질문 답변 후기 تعليق رسالة وصف محتوى ملاحظات תגובה הודעה תיאור תוכן"
    " הערות टिप्पणी संदेश विवरण"
)


@lru_cache(maxsize=1024)
def is_text_name(name: str) -> bool:
    """Return whether a field takes a text of people; of `post[body]` the last part counts."""
    return _plain(name.rstrip("]").rpartition("[")[2]) in _NAMES


def _plain(name: str) -> str:
    """Return a name without signs and accents: `Descrição` is `descricao`."""
    return _SIGNS.sub("", unicodedata.normalize("NFKD", name.lower().replace(_DOTLESS, "i")))


_NAMES = frozenset(
    map(_plain, " ".join((_ENGLISH, _GERMAN, _NORDIC, _ROMANCE, _SLAVIC, _OTHER)).split())
)
