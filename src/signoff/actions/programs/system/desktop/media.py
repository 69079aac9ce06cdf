"""Sound, pictures, video, documents: files read and written, players, recorders, downloads."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, reads, writes
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import INERT, WORKS, setting
from signoff.actions.shell.command import Word

STREAMS = ("rtmp://", "rtmps://", "rtsp://", "srt://", "udp://", "tcp://", "icecast://", "http")


def encoder(call: Call) -> Iterator[Effect]:
    """`ffmpeg -i IN OUT`: inputs are read, other operands are written or streamed."""
    for word in call.values("-i"):
        if "://" in word.text:
            yield call.on_url(Verb.NETWORK_IN, word)
        else:
            yield call.on_file(Verb.READ, word)
    for word in call.operands:
        if word.text.startswith(STREAMS):
            yield call.operation(
                Verb.NETWORK_OUT,
                Thing.URL,
                word.text,
                traits=(Trait.SENDS_FILES,),
                reach=Reach.REMOTE,
                reversible=False,
            )
        elif word.text not in {"-", "/dev/null"}:
            yield call.on_file(Verb.WRITE, word)
    if not (call.operands or call.values("-i")):
        yield call.operation(Verb.INERT, Thing.NOTHING)


def converter(call: Call) -> Iterator[Effect]:
    """`magick IN ... OUT`: the last operand is written; prefixes such as `png:` name formats."""
    *sources, target = call.operands or (Word(text="-"),)
    for word in sources:
        if "://" in word.text:
            yield call.on_url(Verb.NETWORK_IN, word)
        elif word.text.startswith("@"):
            yield call.on_file(Verb.READ, Word(text=word.text[1:], is_known=word.is_known))
    if target.text.startswith("-") or not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        name = target.text.partition(":")[2] if target.text[:5].count(":") else target.text
        yield call.on_file(Verb.WRITE, Word(text=name or target.text, is_known=target.is_known))


def in_files(call: Call) -> Iterator[Effect]:
    """Tag editors and optimisers: the files named are changed, unless told to show."""
    showing = not call.options or call.has(
        "-l", "--list", "--show", "-p", "--print", "--help", "-h", "-v", "--list-frames", "-c"
    )
    for word in call.operands:
        yield call.on_file(Verb.READ if showing else Verb.WRITE, word)
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def metadata(call: Call) -> Iterator[Effect]:
    """`exiftool`: `-TAG=` and the like write the files back."""
    changing = any(
        "=" in o.name or (o.value is not None and o.name.startswith("-") and "=" in o.value.raw)
        for o in call.options
    ) or any("=" in w.text for w in call.command.words[1:] if w.text.startswith("-"))
    for word in call.operands:
        yield call.on_file(Verb.WRITE if changing else Verb.READ, word)
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


FETCHED = (Act(Verb.NETWORK_IN, Thing.URL, On.OPERANDS, reach=Reach.REMOTE, always=True),)

PROGRAMS: tuple[Program, ...] = (
    program(
        "ffmpeg avconv",
        handler=encoder,
        values="-i -f -c -c:v -c:a -b:v -b:a -r -s -t -ss "
        "-to -vf -af -filter_complex -map -codec -codec:a -codec:v -crf -preset -ar -ac "
        "-vcodec -acodec -metadata -frames:v -vframes -aspect -pix_fmt -movflags -threads "
        "-loglevel -v -q:a -q:v -hwaccel -framerate -video_size -loop -stream_loop -sample_fmt",
    ),
    program(
        "magick convert montage composite gm compare conjure import",
        handler=converter,
        values="-resize -quality -crop -rotate -density -background -gravity -geometry -fill "
        "-font -pointsize -annotate -draw -blur -colors -delay -loop -extent -format -depth "
        "-colorspace -size -tile -border -bordercolor -fuzz -level -sharpen -threshold "
        "-window -layers -define -set -channel -compose -alpha -type -compress",
    ),
    program(
        "mogrify jpegoptim optipng pngquant oxipng gifsicle advpng pngcrush "
        "exiftran mp3gain aacgain img-optimize",
        writes(),
        values="-resize -quality -format -m --max -o -d --dest --quality --ext",
    ),
    program(
        "id3v2 id3tag eyeD3 mid3v2 metaflac vorbiscomment exiv2 kid3-cli mp4tags AtomicParsley "
        "mkvpropedit operon",
        handler=in_files,
        values="-a -A -t -T -y -g -c -M --artist --album --title --track --genre",
    ),
    program("exiftool", handler=metadata, values="-o -w -d -ext -if -tagsFromFile -tagsfromfile"),
    program(
        "sox rec lame oggenc opusenc flac faac fdkaac mac shntool shnsplit cueconvert normalize "
        "mkvmerge mkvextract HandBrakeCLI handbrakecli mencoder transcode MP4Box mp4box "
        "cwebp dwebp cjxl djxl avifenc avifdec heif-convert heif-enc guetzli svgo rsvg-convert "
        "inkscape inkview gimp krita darktable-cli rawtherapee-cli ufraw-batch dcraw potrace "
        "autotrace vtracer tesseract ocrmypdf pdftk qpdf pdfunite pdfseparate pdfcrop pdfjam "
        "pdfbook pdfposter pdftocairo pdftoppm pdftohtml pdftops pdfimages pdfdetach mutool "
        "gs ps2pdf pdf2ps pstoedit img2pdf jp2a chafa catimg viu timg ascii-image-converter "
        "img2txt aview blender povray meshlabserver assimp openscad freecad gmsh cura "
        "gnuplot graph dot neato twopi circo fdp sfdp osage patchwork mmdc plantuml ditaa d2 "
        "espeak espeak-ng speak-ng festival pico2wave flite spd-say piper whisper "
        "waifu2x-ncnn-vulkan realesrgan rembg primitive geomview libreoffice soffice lowriter "
        "localc unoconv calligraflow ebook-convert ebook-meta kindlegen pandoc wkhtmltopdf "
        "wkhtmltoimage weasyprint prince asciidoctor asciidoc xmlto docbook2pdf lilypond "
        "musescore mscore abcm2ps timidity fluidsynth csound ardour lmms audacity",
        WORKS,
        writes="-o --output --output-file --outfile",
    ),
    program(
        "mpv vlc cvlc mplayer ffplay aplay paplay arecord parecord play mpg123 mpg321 ogg123 "
        "cmus cmus-remote moc mocp mpc ncmpcpp rmpc playerctl audacious clementine deadbeef "
        "rhythmbox spotify spotify_player ncspot spt termusic qmmp mixxx kodi-send feh "
        "sxiv nsxiv imv eog gwenview gpicview qimgv display xv fim viewnior geeqie "
        "zathura evince okular mupdf xpdf qpdfview sioyek atril llpp vlc-cache-gen "
        "mpv-x celluloid totem pw-cat pw-play pw-record pw-midi2play tuitube ani-cli animdl "
        "castero newsboat podboat shellcaster abcde ripit cava",
        WORKS,
    ),
    program(
        "yt-dlp youtube-dl you-get lux annie gallery-dl svtplay-dl get_iplayer streamlink "
        "spotdl deemix instaloader ytfzf peerflix webtorrent torrent rtorrent aria2c axel "
        "lftpget uget wcurl httrack monolith gyb podget castget animdl subliminal packtpub "
        "transmission-cli deluge-console nicotine isisdl llvd",
        *FETCHED,
        runs="--exec --exec-before-download",
        writes="-o --output --output-document",
    ),
    program("transmission-remote transmission-edit qbittorrent-nox deluged aria2rpc", WORKS),
    program(
        "transmission-create transmission-show mktorrent torf rtmpdump", INERT, writes="-o --output"
    ),
    program("flips bsdiff xdelta3 bspatch rdiff ips", writes(On.LAST), reads(On.BUT_LAST)),
    setting(
        "gyroflow obs obs-cli wf-recorder simplescreenrecorder kooha gpu-screen-recorder "
        "asciinema terminalizer ttyrec vhs agg recordmydesktop byzanz-record peek",
        WORKS,
    ),
)
