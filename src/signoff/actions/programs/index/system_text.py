"""Which family describes which program: the part `system_text`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "system.text.editing": (
        "ambr ascii85 aspell awk base32 base58 base64 basenc bc bioawk codespell column cpp "
        "csplit dc dos2unix ed enca envsubst eqn ex expand fmt frawk fromdos gawk gbc gcpp "
        "gcsplit gettext goawk gpatch grap groff gsed gsort gsplit gtee guniq hunspell iconv "
        "indent ispell m4 mac2unix mawk nawk ngettext nroff patch pee perltidy pic pr recode red "
        "rexreplace rnr rpl sad sd sed sort split sponge ssed tbl tee tidy todos troff uconv "
        "unexpand uniq unix2dos unix2mac uudecode uuencode "
    ),
    "system.text.reading": (
        "2048 : [ [[ aa-enabled ac acpi acpi_listen addr2line afinfo age-inspect alias antiword "
        "apg apkleaks apparmor_status apropos arch archey arpaname asciiquarium atop autoload "
        "b2sum b3sum banner baobab basename bashtop bastet bat batcat battery battop bg bind "
        "bindkey blkid bmon bootinfo bottom bpytop break btm btop builtin bzcat bzless c++filt "
        "caller cat catdoc catman cbonsai ccal ccze cd cheat cksfv cksum clear clinfo cloc cmark "
        "cmatrix cmp colcrt collectl colordiff colortest colrm comm compgen complete compopt "
        "compsize con2fbmap continue cowsay cpuid csvcut csvgrep csvjson csvlook csvstat csvtool "
        "cut dasel ddate declare decode-dimms delta df diceware diction diff diff3 difft "
        "difftastic dir dircolors dirname dirs disable diskonaut disown djvutxt dmidecode "
        "dnsdomainname dool drm_info dstat du dua duf dump-utmp dump.exfat dumpbin dumpe2fs "
        "dumpkeys dust dutree dysk e2freefrag echo edid-decode eglinfo elfdump emulate enable ent "
        "erd eu-readelf exa execsnoop exif exit export expr extrace eza factor false fastfetch "
        "fatrace fc-cat fc-match fc-scan ffprobe fg fgconsole figlet file filefrag fincore finger "
        "fls fold fortune free fx gcal gcut gdu genact getcap getconf getent getfacl getfattr "
        "getopts getpcaps ghead gif2json glances glow glxinfo gnuchess gojq grc greadlink greed "
        "gron groups gtail gtop gzless hardinfo hash hd head help hexdump hexyl hollywood "
        "hostinfo htmlq htop hwinfo hwloc-ls icdiff ico id identify ifstat iftop info "
        "intel_gpu_top inxi ioping iostat iotop ipcalc irqtop isoinfo isosize istats iwlist jaq "
        "jless jobs join jpeginfo jq jqp jxlinfo kbdinfo kscreen-console l la last lastb lastlog "
        "ldd less lesspipe let libinput lid ll lnav lnstat local locale logname logout lolcat "
        "look ls lsar lsattr lsb_release lsbom lscpu lsd lsdev lsfd lshw lsinitcpio lsinitramfs "
        "lsinitrd lsipc lsirq lsix lslocks lslogins lsmem lsmod lsns lsof lspath lspci lsscsi "
        "lssub lstopo lsusb lsusb.py lsx lzcat macchina machine machine-id makewhatis man mandb "
        "mapfile mcat mcookie md5 md5sum mdcat mdls mediainfo mesg minesweep mkvinfo mlr mmls "
        "modetest modinfo moon-buggy more most mp3info mpstat multitail namei ncal ncdu neofetch "
        "nethogs netselect netstat nitch nl nload nm nmon nms no-more-secrets noglob nproc nsnake "
        "nstat nudoku numastat numfmt nvtop nyancat objdump od ogginfo olevba oneko opensnoop "
        "opusinfo paste pdf-parser pdffonts pdfgrep pdfinfo peaclock pfetch pgrep pidof pidstat "
        "pinky pipes.sh pmap pngcheck popd powerstat printenv printf procinfo procs ps pstree ptx "
        "pup pushd pwd pwdx pwgen pwqgen qsv quota quotacheck rabin2 radeontop raspinfo read "
        "readarray readelf readlink readonly realpath rehash repquota reset return rev rhash "
        "robotfindskitten routel rtstat runlevel sa scc screenfetch sdiff sensors seq set setopt "
        "sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift shopt showkey shuf sipcalc "
        "sixel size sl slabtop sleep slurm-tool smem snake4 sndfile-info soxi spark "
        "spectre-meltdown-checker spell ss stat steamos-dump-info strings stty style sum suspend "
        "systemd-ac-power systemd-cgls systemd-delta systemd-detect-virt systemd-escape "
        "systemd-id128 systemd-path tabs tac tail tailspin tealdeer termdown test tetris texcount "
        "textutil tidy-viewer times tldr tlp-stat toilet tokei tomlq top tput tr trawl tree "
        "treemd true tsort tspin tty tty-clock tuptime turbostat type typeset tzselect ulimit "
        "umask unalias uname units unset unsetopt upower uprecords uptime users utmpdump uuid "
        "uuidgen vainfo vared vd vdir vdpauinfo visidata vmstat vnstat vnstati vrrtest vt "
        "vulkaninfo w wait wc wdiff webpinfo wev whatis whence where whereis which who whoami "
        "wikiman wordcount x86info xcalc xclock xcowsay xdpyinfo xev xeyes xfs_info xkcdpass "
        "xlsclients xlsfonts xmllint xprop xq xsv xwininfo xxd xxhash xxhsum xzcat xzcmp xzdiff "
        "xzless yetris yq ytop zbarimg zcat zcmp zdiff zdump zipinfo zle zless zmodload zmore "
        "zparseopts zstdcat zstdless zstyle "
    ),
    "system.text.search": (
        "ack ag agrep bfs bzgrep catfish cgrep egrep fd fdfind fgrep find fselect fzf fzy gfind "
        "ggrep git-grep grep grepcidr gum locate mate-search-tool mlocate ngrep-file pcre2grep "
        "pcregrep peco percol plocate pt recoll recollq rg rga rgrep ripgrep sift silver_searcher "
        "sk slocate tmsu ug ugrep updatedb vgrep xzgrep zgrep zipgrep zstdgrep "
    ),
}
