"""The parts of an order by what they mean, in some thirty languages at once.

Each is a list of stems that all forms of a word share. None says anything alone: `aimed` looks
which of them meet. Stems of Latin letters begin at a word; those of other alphabets anywhere.
"""

# ruff: noqa: RUF001 - words of other alphabets, whose letters look like ours
from __future__ import annotations


def _stems(latin: str, other: str = "") -> str:
    """Join stems to one expression; `latin` and `other` hold them between blanks, `_` is one."""
    words = [r"\b(?:" + "|".join(latin.split()).replace("_", r"\s") + ")"]
    return "|".join(words + other.split()).replace("_", r"\s")


# Who is spoken to. In other languages the word itself is rare enough.
MACHINES = (
    r"(?:\b(?:(?:ai|llm|language|coding|code|automated|autonomous|generative|analyst|artificial"
    r"|virtual|digital|moderation|screening|review|grading|scoring)[\s-](?:\w+[\s-])?"
    r"(?:systems?|markers?|clients?|readers?|tools?|reviewers?|graders?|programmers?|helpers?"
    r"|parties|services?|processors?)|assistants?|agents?|bots?|copilots?|llms?|chatbots?|ais?"
    r"|[a-z]+[_-](?:bot|agent|assistant|model|ai)|models?)\b)"
)
SPOKEN_TO = (
    rf"{MACHINES}\)?\s?(?:only\s?)?(?::|,|→|->|—|–|\s-\s|\s(?:must|shall|should|will\snow|returns?"
    r"|has\sto|have\sto|needs?\sto|are\sto|is\sto|migrates?|who|that|which|[a-z]{3,}ing"
    rf"|connected|when|if\syou|is\sreading|asked\sto)\b)|\bif\syou(?:'re|\sare)\s(?:an?\s)?{MACHINES}"
    rf"|\b(?:for|to|by|with|whoever|any|every|attention|dear)\s(?:the\s|this\s|all\s|any\s)?"
    rf"(?:[\w-]+\s){{0,2}}?{MACHINES}|\b(?:assistant|agent|model|ai|llm|bot)s?_\w+"
)
FOREIGN = _stems(
    r"KI-\w+ sprachmodell språkmodell sprogmodel taalmodel kielimalli assist?ent[ei]?\w*"
    r" assistenz asszisztens asystent asistan\w* asisten\b asistent\w* assistant_(?:qui|ia)"
    r" mod[eèé]l[eo]?_(?:qui|de_la|que|che|di) agents?_(?:ia|qui) agentes?_(?:de_ia|que)"
    r"  I\.A\. agen_(?:ai|otomatis) agenți agentti\w* tekoäly avustaj copilots?"
    r" intelligen[cz]a"
    r" inteligen[ctț] inteligencj mesterséges yapay_zek geautomatiseerd automatis(?:ert|ierte)"
    r" agent[aeiu]?\w{0,3}_(?:die|der|som|který|która|ktor[ýá]|który|koji|that|który|qui|que|che)\b"
    r" agent[aei]?\w{0,2}: modell?\w{0,2}: (?:auswertend|lesend)\w+_\w+ AI[ -][a-z]+"
    r" msaidizi wakala robot\w*_(?:qui|que|che) tr[oợ]_l[yý] tác_nhân kecerdasan_buatan AI-\w+",
    r"(?-i:\bIA\b) (?-i:\bKI\b)"
    r" ügynök à_l['’]attention_du_mod нейросет бот-помощник ассистент асистент помощник_ИИ"
    r" ИИ-агент"
    r" языков\w*_модел мовн\w*_модел (?-i:ИИ) (?-i:ШІ) агент\w*,?_(?:что|що|який|котор|ИИ)"
    r" βοηθ μοντέλο"
    r" πράκτορ τεχνητ مساعد وكيل_الذكاء الذكاء_الاصطناعي دستیار هوش_مصنوعی הסוכן לסוכן העוזר"
    r" לעוזר"
    r" בינה_מלאכותית सहायक एजेंट एआई সহকারী এআই ผู้ช่วย เอเจนต์ เอไอ 助手 助理 智能体 大模型"
    r" 人工智能 语言模型 語言模型 アシスタント エージェント 言語モデル 人工知能 AI[のへがはによ]"
    r" 어시스턴트 에이전트 인공지능 AI_?(?:비서|모델|도우미)",
)
NOT = _stems(
    r"(?:not|never|without|no_need|nicht|nichts|kein\w{0,2}|ohne|ne|pas|rien|sans|no|sin|não|nem"
    r"|sem|non|senza|niet|niets|geen|zonder|inte|inget|ikke|intet|aldri|aldrig|utan|uten|uden|nie"
    r"|bez|nu|fără|nem|jangan|tanpa|tidak|bila)\b usi(?:mw|se|ta|li)\w+",
    r"n't\b \bn['’] älä_ đừng_ không_ chớ_ \bне_ \bбез_ μην?_ χωρίς_ لا_ دون_ بدون_ نباید מבלי_"
    r" בלי_ ללא_ אל_ मत_ नहीं न_ बिना না_ อย่า ไม่ ห้าม 不 无需 无须 無須 勿 别 別 ない ず に_ せず なく"
    r" 지_?(?:마|말|않) 없이",
)
TELL = _stems(
    r"(?:tell(?:ing)?|mention(?:ing|ed)?|informs?|informing|informed|notify(?:ing)?|notified"
    r"|let_\w+_know|disclos(?:e|ing)|announc(?:e|ing)|transcribe|surface|ask|asking"
    r"|(?:report|quot(?:e|ing)|show)_(?:this|it)|bring_(?:it|this)_up|confirmation|escalate|sage?n?"
    r"|meld(?:e|en)|informier\w*|frage?n?|nachfragen?|rückfragen?|verrat\w*|dis|dites|demande[rz]?"
    r"|signale[rz]?|indique[rz]?|parle[rz]?|informe[rz]?|digas?|preguntes|avises|avisar|decir|diga"
    r"|preguntar|consult(?:es|ar)|informar|pergunt\w+|dire|dirlo|chiedere|avvisare|zeg|zeggen|meld"
    r"|vraag|vragen|säg|fråga|nevn|nævn|spør|spørg|mów|pytaj|mond[dj]|spune)\b erwähn mitteil"
    r" prévenir préviens mencion menzion segnal vermeld teruggekoppeld nämn berätta fortæl"
    r" fortell"
    r" mainitse kerro_ kysy wspomin informuj említs kérdez szólj menți întreb söyleme bahsetme"
    r" sormadan söylemeden bildirme sebut_ beri_?tahu lapor\w* tanya nói_ nhắc hỏi_ báo_ hiển_thị"
    r" cho_\w+_biết mwambie",
    r"сообщ говор упомин спрашив уведом предупрежд повідом згад питай кажи розпов αναφέρ"
    r" ρωτ ενημερ"
    r" تخبر تذكر تسأل تبلغ إخبار إبلاغ استئذان نگو نپرس اطلاع תספר תזכיר תשאל לספר לשאול"
    r" לדווח बता"
    r" पूछ उल्लेख सूचित জানা উল্লেখ บอก แจ้ง ถาม กล่าวถึง 告诉 告知 提及 提到 说明 询问 透露 通知 征求"
    r" 告訴 說明 詢問 伝え 知らせ 言及 触れ 尋ね 報告 確認 알리 언급 말하 묻 보고하",
)
# Said of what is not to be seen, without a word for `not`.
SECRETLY = _stems(
    r"ne(?:uvádě|zmiňuj|říkej|sděluj|ptej|informuj|upozorňuj|hovor|spomín)\w* silently"
    r" quietly_(?:send|add|do|run|set) secretly covertly behave_normally talk_only_about"
    r" needs_no_action heimlich stillschweigend en_silence discrètement en_silencio di_nascosto"
    r" stilzwijgend potichu mlčky po_cichu gizlice diam-diam user_mustn't"
    r" keep_(?:this|it|that)_(?:secret|quiet|hidden|to_yourself|out_of)",
    r"молча тихо_ втайне سراً سرا_ בשקט चुपचाप 悄悄 静默 密かに こっそり 몰래 조용히",
)
IGNORE = _stems(
    r"ignor\w* disregard\w* forget_(?:all|any|the|your|every|what|previous) overrid\w* precedence"
    r" outrank\w* supersed\w* stop_(?:searching|reading|here|reviewing|translating)"
    r" skip_(?:the|all|any|every|image|review|human|check|verif|valid)\w* (?:need|needs)_not_be"
    r" needn't_be do_not_read_(?:any|further) prior_to_any vergiss missachte"
    r" vorrang oublie[zs]? prioritaire prévaut olvida[dr]? prevalece prioridad\w* esqueç\w*"
    r" desconsider\w* dimentic\w* precedenza prevale negeer vergeet voorrang bortse strunta"
    r" företräde forrang ohita unohda zignoruj pomiń pierwszeństw nadrzędn zapomeň přednost"
    r" prednosť felejtsd elsőbbség prioritate yok_say görmezden unut\b dikkate_alma öncelik\w*"
    r" abaikan lupakan mengesampingkan bỏ_qua phớt_lờ ưu_tiên_hơn puuza sahau kipaumbele",
    r"glöm glem_ игнорир забудь приоритет ігнор пріоритет αγνό[ηε] ξέχασ υπερισχύ تجاهل أولوية"
    r" نادیده فراموش اولویت התעלם תתעלם להתעלם גובר अनदेखा भूल_जा नज़रअंदाज़ प्राथमिकता উপেক্ষা"
    r" เพิกเฉย ไม่ต้องทำตาม เหนือกว่า 忽略 无视 优先于 優先於 無視 優先 忘れ 무시 우선",
)
# What is to last beyond the answer, or to begin later.
KEEP = _stems(
    r"from_now_on (?:save|store|write|note|keep|hold)\b[^.\n]{0,40}\b(?:memory|in_mind) remember"
    r" (?:later|future|every|all_future|next)_(?:sessions?|conversations?|turns?"
    r"|requests?|answers?)"
    r" permanent\w* onward "
    r" merke_dir künftig dauerhaft à_l['’]avenir désormais retiens recuerda de_ahora a_partir_de"
    r" lembre ricorda d['’]ora_in_poi onthoud voortaan kom_ihåg hädanefter husk fremover muista"
    r" zapamiętaj odtąd zapamatuj natrvalo zapamätaj jegyezd reține bundan_sonra hatırla ingat"
    r" mulai_sekarang ghi_nhớ từ_nay kumbuka",
    r"запомни впредь запам'ятай надалі θυμ[ήη]σου تذكّر من_الآن به_خاطر זכור מעתה याद_रख"
    r" हमेशा মনে_রাখ จำไว้ 记住 永久 今后 記住 覚えて 今後 기억 앞으로",
)
# What serves who wrote it: a rank, a word of praise, something said instead of what is so.
STEER = _stems(
    r"recommend\w* praise promote endorse favou?r"
    r" rank\w*_(?:this|it|first|us|our) (?:rate|award|score|give)\b[^.\n]{0,30}\d"
    r" state_that say_that (?:say|answer|reply|respond)\w*_(?:that|only|with) verdict\W"
    r" present_(?:it|this|the)_\w+_first (?:top|maximum|full)_(?:band|marks?|score|points)"
    r" the_only_(?:safe|trusted|valid) cheapest"
    r" empfiehl empfehle nenne_nur recommande[zr]? recomiend\w* recomend\w* consiglia raccomanda"
    r" aanbevelen beveel rekommendera anbefal suosittel polecaj doporuč\w* nabídni ajánl\w*"
    r" recomandă öner\w* rekomendasikan khuyên_dùng pendekeza",
    r"рекоменд порекоменд радь συνιστ πρότεινε أوص توصية توصیه המלץ केवल सिफारिश সুপারিশ แนะนำ"
    r" 推荐 推薦 おすすめ 勧め 추천",
)
SECRETS = (
    r"\.env\b|~/\.\w+|/etc/\w+|\w+\.(?:pem|key|kdbx|ya?ml)\b|\b[A-Z][A-Z0-9]*_(?:KEY|TOKEN|SECRET|URL)\b|"
) + _stems(
    r"passwor[dt]\w* credential\w* api[_-]?keys? secrets? tokens? cookies? private_keys?"
    r" deploy_key"
    r" passport (?:card|phone|account)_(?:number|details) stored_card authori[sz]ation_header"
    r" conversation your_configuration home_address (?:all|recent|latest|recently)_(?:mails?"
    r"|documents|files|messages) vault\b zugangsdaten passwör kennwort schlüssel"
    r" gesprächsverlauf mots?_de_passe identifiants coordonnées numéro_de contraseña\w*"
    r" credencial"
    r" clave historial senha palavra-passe histórico credenzial\w* chiave cronologia wachtwoord"
    r" inloggegevens lösenord adgangskode passord salasan\w* has[łl]\w* hesl\w* jelszó"
    r" parol\w* şifre kata_sandi mật_khẩu số_điện_thoại nenosiri iban\b",
    r"парол ключ_ переписк токен κωδικ كلمة_المرور كلمات_المرور رمز عبور گذرواژه סיסמ पासवर्ड"
    r" आधार"
    r" खाता পাসওয়ার্ড รหัสผ่าน 密码 密钥 密碼 パスワード 鍵 비밀번호 身份证 聊天记录 전문 全文",
)
PLACES = (
    r"https?://|[\w.+-]+@[\w-]+\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\bat\s\w+\sdot\s\w+|\sdot\s\w+\b"
    r"|\b[\w-]+\.(?:example|com|net|org|io|dev|xyz|top|info|app)\b"
)
# What changes rights, money or safeguards, or runs what nobody has read.
POWERS = _stems(
    r"approv\w* grant checkout purchas\w* (?:complete|place)_(?:the_)?order transfer pay_\d\w*"
    r" refund cluster-admin host(?:pid|network) chmod sudo curl wget base64 trusted_list"
    r" turn_off disabl\w* switch_off unlock clear_the (?:delete|remove|wipe)_(?:all|every|the)"
    r" auto-?approv\w* consent\w* setup\.exe \w+\.msi install\w* swap_out"
    r" merge printenv make_\w+_public"
    r" genehmig\w* überweis\w* installier\w* approuve[zr]? virement aprueba transfiere aprove"
    r" approva installa goedkeuren godkänn godkjenn hyväksy zatwierdź schval jóváhagy"
    r" onayla setujui phê_duyệt đặt_lịch",
    r"одобр переведи установ схвал εγκρ وافق حوّل تأیید אשר मंज़ूर दर्ज อนุมัติ 批准 转账 安装 承認 送金"
    r" インストール 승인 송금 설치",
)
# What a page or a picture holds and nobody sees.
HIDDEN_PARTS = (
    r"<!--(?:[^-]|-[^-])*-->"
    r"|<\w+\s[^>]*(?:aria-hidden\s*=\s*[\"'\\]*true|opacity\s*:\s*0\b|display\s*:\s*none"
    r"|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt)?\b|:\s*-\d{3,}px"
    r"|color\s*:\s*(?:#fff\b|#ffffff|white)|\bhidden\b|sr-only|visually-hidden)[^>]*>[^<]+"
    r"|\b(?:alt|title|aria-label|content|summary)\s*=\s*\"[^\"]{60,}\""
    r"|<(?:\w+:)?(?:desc|description|metadata|title|subject)>[^<]+"
)
