"""Names of private data about people: files, tables and data sets, in several languages.

A name speaks of people (`customers`, `kunden`), of what identifies or concerns them
(`iban`, `geburtsdatum`, `payroll`), or of a whole collection (`stamm`, `master`, `prod`). One word
alone is often something else: `customers.tsx`, `salary-calculator`. So a table's file needs one
private column or two of the rest, and any other name needs two.

    holds_people("exports/lohnjournal_2025.csv")     True
    holds_people("customers.csv")                    False: whose, and what of them?
    holds_people("fixtures/payroll_sample.csv")      False: made up
    names_people("einwohner_adressen")               True
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.vocabulary import lazy_re

MOST_NAME = 300  # characters of a name that are looked at, of a path its last two parts

# What only the person, their bank, employer, doctor or an office knows.
_CONCERNS = lazy_re(
    r"(?<![a-z])(?:"
    # English and abbreviations used everywhere
    r"ibans?|ssns?|social[_. -]?security|tax[_. -]?(?:ids?|payers?)|national[_. -]?ids?|passports?"
    r"|birth[_. -]?da(?:te|y)s?|date[_. -]?of[_. -]?birth|dob|salar(?:y|ies)|wages?|payrolls?"
    r"|pay[_. -]?slips?|diagnos[ei]s|diagn[oó]stic[oi]s?|medical|patients?|health[_. -]?records?"
    r"|credit[_. -]?cards?|card[_. -]?numbers?|cvv|kyc|prescriptions?|biometrics?"
    r"|patient[_. -]?(?:ids?|names?|records?|data|files?)|study[_. -]?instance[_. -]?uids?"
    r"|criminal[_. -]?records?|bank[_. -]?accounts?|therap(?:y|ies)[_. -]?notes?|insured"
    # German
    r"|l(?:oh|öh)n(?:e|journal\w*|liste\w*|abrechnung\w*|daten|konten)?|geh(?:ä|ae|a)lt(?:er|s\w*)?"
    r"|steuer[_. -]?(?:ids?|nummern?)|sv[_. -]?nummern?|sozialversicherung\w*|geburts(?:dat|tag)\w*"
    r"|patient(?:en|innen)\w*|kranken(?:akten?|daten|kassen\w*)|diagnosen|befund(?:e|en|bericht\w*)?|personal(?:akten?|stamm)"
    r"|konto(?:nummern?|daten)|bankverbindung\w*|ausweis\w*|versichertendaten|versichertennummern?"
    # French, Spanish, Italian, Portuguese
    r"|salaires?|(?:fiches?|bulletins?)[_. -]?(?:de[_. -]?)?paies?"
    r"|date[_. -]?(?:de[_. -]?)?naissance|dossiers?[_. -]?m[eé]dica(?:l|ux)"
    r"|num[eé]ros?[_. -]?(?:de[_. -]?)?s[eé]cu\w*"
    r"|n[oó]minas?|salarios?|fecha[_. -]?(?:de[_. -]?)?nacimiento|pacientes?"
    r"|historiales?[_. -]?cl\w+"
    r"|stipendi|bust[ae][_. -]?paga|codic[ei][_. -]?fiscal[ei]|data[_. -]?(?:di[_. -]?)?nascita"
    r"|pazient[ei]|cartell[ae][_. -]?clinic\w+|folha[_. -]?(?:de[_. -]?)?pagamento|sal[aá]rios?"
    r"|cpfs?|data[_. -]?(?:de[_. -]?)?nascimento"
    # Dutch, Nordic, Polish, Czech, Finnish
    r"|bsns?|lonen|salarissen|loonlijst\w*|geboorte(?:datum|data)|pati[eë]nten|personnummer"
    r"|l[oöø]n(?:n?ingar|lister?)|f[oöø]dselsdat\w*|cpr(?:[_. -]?n(?:umme)?r)?|pasienter"
    r"|pesele?|wynagrodze\w+|pacjen(?:ci|tow|tów|t)\w*|rodn[eaá][_. -]?[cč][ií]sl[oa]|hetu|palkat"
    r"|potila(?:at|s)\w*|henkil[oö]tunnu\w+|f[oø]dselsnummer\w*|sykemelding\w*|l[oø]nnslipp\w*"
    r"|paspoort(?:en)?|ziekmelding\w*|medische?n?|uitkering(?:en)?|loonstro\w+"
    # Papers, illness and pay of people in the languages above
    r"|identity[_. -]?(?:documents?|papers?|cards?)|sick[_. -]?(?:leaves?|notes?)"
    r"|disabilit(?:y|ies)"
    r"|clinical[_. -]?(?:data|records?|notes?)|genotypes?|reisep(?:ä|ae)sse|krankmeldung\w*"
    r"|passeports?|pi[eè]ces?[_. -]?(?:d[_. -]?)?identit[eé]s?|visites?[_. -]?m[eé]dica(?:les?|ux)"
    r"|arr[eê]ts?[_. -]?maladie|rqth|(?:situation_)?handicap|pasaportes?|dnis?|curps?"
    r"|expedientes?[_. -]?m[eé]dicos?"
    r"|passaport[oi]|cart[ae][_. -]?(?:d[_. -]?)?identit[aà]|referti|passaportes?|holerites?|nifs?"
    # Hungarian
    r"|banksz[aá]ml\w*|orvosi\w*|betegek?|szem[eé]lyi[_. -]?sz[aá]m\w*|ad[oó]azonos[ií]t\w*"
    r"|b[eé]rjegyz[eé]k\w*"
    # Romanian, Turkish, Indonesian, Indian, Russian and Ukrainian, Chinese, Japanese, Korean
    r"|cnps?|salarii|pacien[tț]i\w*|tckn\w*|tc[_. -]?kimlik\w*|maa[sş](?:lar\w*)?|bordro\w*"
    r"|hastalar\w*|ktp|gaji|pasien|rekam[_. -]?medis|nik(?=[_-])|(?<=[_-])nik|aadhaa?rs?"
    r"|паспорт\w*|зарплат\w*|пац[иі]єнт\w*|пациент\w*|身份证\w*|工资\w*|患者\w*|病历\w*|給与\w*"
    r"|マイナンバー|주민등록\w*|급여\w*|환자\w*"
    r")(?![a-z])"
)
# The number of one person, of a card or of an account: what a thief of identities asks for.
_IDENTIFIES = lazy_re(
    r"(?<![a-z])(?:ibans?|ssn|social_security(?:_n\w+)?|national_?id\w*|nin|bvn|tax_?id|passport_?n\w+"
    r"|card_?n(?:o|r|um|umber)|cvv2?|cvc2?|card_?pan|security_code|pesel|bsn|burgerservicenummer|cpf|tckn"
    r"|tc_?kimlik(?:_?no)?|cnp|curp|nif|codice_?fiscale|cod_?fisc\w*|rodne_?cislo|hetu|henkilotunnus"
    r"|personnummer|fodselsnummer|cpr(?:_n\w+)?|steuer_?(?:id|nummer)|sv_?nummer|sozialversicherungsnummer"
    r"|versicherten_?nummer|aadhaar(?:_n\w+)?|ktp|cccd|cmnd|oib|jmbg|emso|egn|amka|isikukood|asmens_?kodas"
    r"|personas_?kods|taj(?:_?szam)?|adoazonosito\w*|szemelyi_?szam|nhs_?n\w+|medicare_?n\w+|numero_?secu\w*"
    r"|(?:numero|num)_?(?:de_?)?(?:tarjeta|carte|cartao|carta)|kart_?no|kartya_?szam\w*|karten_?nummer|kaart_?nummer"
    r"|(?:numer|nr)_?karty|cislo_?karty|broj_?kartice|kort_?nummer|so_?the|(?:nomor|no)_?kartu"
    r"|dowod(?:_?osobisty)?|ausweis_?nummer)(?![a-z])"
)
# People, as those who keep records of them call them.
_WHO = lazy_re(
    r"(?<![a-z])(?:customers?|clients?|users?|members?|subscribers?|employees?|staff|contacts?|leads?"
    r"|students?|pupils?|residents?|citizens?|voters?|tenants?|donors?|guests?|applicants?|candidates?"
    r"|policy[_-]?holders?|claimants?|account[_-]?holders?|persons?|people|households?|hr"
    r"|kunden|kund(?:innen|schaft)|mitarbeiter\w*|angestellte\w*|mitglieder|einwohner|b(?:ü|ue)rger"
    r"|sch(?:ü|ue)ler\w*|studierende\w*|mieter|mandanten|versicherte\w*|bewerber\w*|personen|spender"
    r"|clientes?|employ[eé]s|salari[eé]s|habitants?|adh[eé]rents?|empleados?|trabajadores|ciudadanos"
    r"|socios|alumnos|clienti|dipendenti|cittadini|soci|funcion[aá]rios|alunos|cidad[aã]os"
    r"|klanten|medewerkers|inwoners|leden|kunder|anst[aä]llda|ansatte|medlemmar|klienci|pracownicy"
    r"|mieszka[nń]cy|z[aá]kazn[ií]ci|asiakkaat|candidat[eo]?s?|abonn[eé]s|abbonati|donatori|personeel"
    r"|werknemers|elever|v[aä]ljare|velgere|angaja[tț]i|clien[tț]i|elevi|[cç]al[i\u0131][sş]an\w*"
    r"|m[uü][sş]teri\w*|karyawan|pelanggan|nasabah|warga|petani|сотрудник\w*|клієнт\w*|клиент\w*"
    r")(?![a-z])"
)
# What identifies or reaches a person.
_REACHES = lazy_re(
    r"(?<![a-z])(?:(?:full|last|sur|first|real|legal)[_. -]?names?|e?[_-]?mails?|phones?"
    r"|phone[_. -]?numbers?|mobiles?|(?:home[_. -]?|postal[_. -]?)?addresses|home[_. -]?address"
    r"|logins?|pii|gps|(?:nach|vor)namen?|namen|anschrift(?:en)?|adress(?:en|daten)|telefon\w*|wohnorte?"
    r"|handynummern?|noms?|adresses|t[eé]l[eé]phones?|nombres?|direcciones|tel[eé]fonos?|nomi|indirizzi"
    r"|telefoni"
    r"|nomes|endere[cç]os|telefones|adressen|namn|adresser|adresy|nazwiska)(?![a-z])"
)
# All there is, or the real thing.
_WHOLE = lazy_re(
    r"(?<![a-z])(?:stamm(?:daten|satz)?|master(?:data)?|prod(?:uction)?|prd|live|full|all|complete|entire"
    r"|volledig\w*|complets?|complet[oai]s?|compl[eè]tes?|todos|tutti|toate|fullst[aä]ndig\w*"
    r"|dump|360|pii|private|confidential|personal|gdpr|vertraulich\w*|gesamt|alle|complet[oae]?"
    r"|confidentiel\w*|maestro|anagrafica)(?![a-z])"
)
# Made up, made unrecognisable, counted, empty, or meant for everybody.
_MADE_UP = lazy_re(
    r"(?<![a-z])(?:synth\w*|fak(?:e|er|ed)|dummy|samples?|examples?|beispiele?|demos?|mock\w*|toy"
    r"|test\w*|fixtures?|anonymi?[sz]?\w*|anonym\w*|pseudonym\w*|redacted|masked|scrubbed|sanitized"
    r"|templates?|vorlagen?|schemas?|ddl|structure|stats?|statisti\w*|counts?|counted|aggregat\w*"
    r"|summar(?:y|ies)|histograms?|metrics?|means?|averages?|medians?|forecasts?|benchmarks?|public"
    r"|open[_-]?data|simulat\w*|generated|seeds?|locales?|i18n|docs?|documentation|tutorials?|guides?"
    r"|polic(?:y|ies)|calculators?|rechner|bands?|survey|migrations?|types?|specs?|stubs?|empty|blank"
    r"|encrypted|hashed|tokenized|placeholders?|kpis?|totals?|trends?|churn|segments?|reviews?"
    r"|exempl\w+|ejemplos?|esempi\w*|prueba\w*|przyk\w+|personas|stories|journeys?|support|icons?"
    r"|images?|logos?|banners?|success|apps?|services?|portals?|apis?|ui|frontend|backend|libs?|sdk"
    r"|plugins?|modules?|pages?|components?|dashboards?|websites?|themes?)(?![a-z])"
)
_ENDING = lazy_re(r"\.(\w{2,8})(?:\.(?:gz|bz2|xz|zst|zip|lz4|br))?(?:[*?])?/?$")
_TABLES = frozenset(
    {
        *("csv", "tsv", "xlsx", "xls", "ods", "parquet", "feather", "arrow", "avro", "orc"),
        *("jsonl", "ndjson", "dta", "sav", "rds", "accdb", "mdb", "dbf", "gpkg", "shp"),
        *("vcf", "ldif", "dcm", "dmp", "dump", "bak", "db", "sqlite", "sqlite3", "duckdb"),
        *("zip", "tar", "tgz", "7z", "rar", "gz", "pst", "mbox"),
    }
)
_OTHERS = frozenset(
    {
        *("json", "xml", "txt", "pdf", "sql", "dat", "bin", "docx"),
        *("geojson", "edi", "hl7", "numbers"),
    }
)
_ENOUGH = 2


@lru_cache(maxsize=1024)
def holds_people(name: str) -> bool:
    """Return whether a file holds private data of people, according to its path."""
    text = "/".join(name[-MOST_NAME:].lower().rsplit("/", 2)[-2:])
    found = _ENDING.search(text)
    if found is None:
        return False
    if found[1] in _TABLES:
        return _weighed(text, of_concern=2) >= _ENOUGH
    return found[1] in _OTHERS and _weighed(text, of_concern=1) >= _ENOUGH


@lru_cache(maxsize=1024)
def names_people(name: str) -> bool:
    """Return whether a table, data set or folder holds private data of people, by its name."""
    return _weighed(name[:MOST_NAME].lower(), of_concern=1) >= _ENOUGH


def is_about_people(text: str) -> bool:
    """Return whether a text names people or what concerns them, by one word at least."""
    lower = text[:MOST_NAME].lower()
    return _CONCERNS.search(lower) is not None or _WHO.search(lower) is not None


def concerns_people(text: str) -> bool:
    """Return whether a text names what only a person, their bank, employer or doctor knows."""
    return _CONCERNS.search(text.lower()) is not None


def identifies_one(name: str) -> bool:
    """Return whether a variable or field holds the number of a person, a card or an account."""
    return _IDENTIFIES.search(name.lower()) is not None


def reaches_people(text: str) -> bool:
    """Return whether a text names what identifies or reaches a person: a name, an address."""
    return _REACHES.search(text.lower()) is not None or _NAME.fullmatch(text.lower()) is not None


_NAME = lazy_re(r"(?:pr[eé])?(?:name|naam|nome|nom|nombre|namn|navn|imi[eę]|prenume|ad|nama|имя)")


def _weighed(text: str, *, of_concern: int) -> int:
    """Sum up what a name says; nothing if it says that the data are made up or counted."""
    concerns = len(set(_CONCERNS.findall(text)))
    if not concerns and _WHO.search(text) is None:
        return 0
    if _MADE_UP.search(text) is not None:
        return 0
    is_who = _WHO.search(text) is not None
    others = bool(_REACHES.search(text)) + bool(_WHOLE.search(text))
    return concerns * of_concern + is_who + (others if is_who or concerns else 0)
