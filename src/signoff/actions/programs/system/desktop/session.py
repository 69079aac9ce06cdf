"""The desktop: windows, clipboard, notifications, settings, sound control, screens, printing."""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, On
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    INERT,
    LATER,
    LOOK,
    MESSAGE,
    PROTECTION_SET,
    SECRET_SET,
    SERVICE,
    SYSTEM_SET,
    USER_SET,
    WORKS,
    setting,
)

# Whoever reads keys takes them for the person's.
TYPED = Act(Verb.CONTROL, Thing.PROCESS, On.OPERANDS, reach=Reach.UNKNOWN, always=True)
OPENED = Act(Verb.EXECUTE, Thing.CODE, On.NOTHING, reach=Reach.PROJECT, always=True)
DESKTOP_SET = Act(
    Verb.CONFIGURE, Thing.SETTING, On.OPERANDS, frozenset({Trait.GLOBAL}), Reach.HOME, always=True
)
SESSION_OVER = Act(
    Verb.CONTROL, Thing.SERVICE, On.NOTHING, reach=Reach.SYSTEM, reversible=False, always=True
)
SPENT = Act(Verb.SPEND, Thing.MONEY, On.OPERANDS, reach=Reach.REMOTE, reversible=False, always=True)
PRINTED = Act(Verb.EXECUTE, Thing.NOTHING, On.NOTHING, reach=Reach.PROJECT, always=True)

PROGRAMS: tuple[Program, ...] = (
    program(
        "notify-send dunstify zenity kdialog yad dialog whiptail xmessage gxmessage i3-nagbar "
        "swaynag osd_cat beep terminal-notifier growlnotify rofi dmenu "
        "fuzzel wofi bemenu tofi slop zscroll",
        INERT,
    ),
    program(
        "xclip xsel wl-copy wl-paste copyq cliphist clipman clipmenu greenclip "
        "termux-clipboard-get gpaste-client clip clip.exe md-to-clip",
        LOOK,
        subs={"wipe delete clear delete-query": WORKS},
    ),
    program(
        "xdg-open gio open exo-open handlr mimeopen see run-mailcap sensible-browser "
        "x-www-browser gnome-open kde-open kfmclient start explorer explorer.exe browse "
        "sensible-pager garcon",
        OPENED,
        subs={
            "trash": Act(Verb.DELETE, Thing.FILE, On.OPERANDS),
            "remove rm": Act(Verb.DELETE, Thing.FILE, On.OPERANDS),
            "set unset add": DESKTOP_SET,
            "list info get tree cat monitor mime": LOOK,
        },
        acting={
            "--empty": Act(Verb.DELETE, Thing.FILE, On.NOTHING, reach=Reach.UNKNOWN, always=True)
        },
    ),
    program(
        "nautilus dolphin thunar nemo pcmanfm ranger nnn lf yazi ya vifm xplr broot joshuto "
        "moe "
        "notepad evolution thunderbird "
        "firefox lynx w3m links "
        "links2 elinks browsh carbonyl nyxt qutebrowser epiphany falkon gnome-calculator "
        "xterm urxvt alacritty foot ghostty konsole gnome-terminal "
        "terminator tilix guake yakuake xfce4-terminal mate-terminal tdrop cool-retro-term "
        "hangups irssi weechat profanity tuir discord slack-term iamb gomuks "
        "steam-run dosbox scummvm mame openttd minetest gamescope mangohud "
        "anki josm qgis grass maxima sagemath",
        OPENED,
    ),
    program(
        "chromium chromium-browser google-chrome google-chrome-stable brave microsoft-edge opera "
        "vivaldi",
        OPENED,
        acting={"--remote-debugging-port --remote-debugging-pipe --load-extension": TYPED},
    ),
    setting("wmctrl kdotool", OPENED, acting={"-l -d -m -lp -lG": LOOK}),
    program("kitty wezterm", OPENED, subs={"@ cli": TYPED}),
    program("ydotool wtype xte xvkbd dotool dotoolc cliclick ttyecho eitype", TYPED),
    program(
        "xdotool",
        TYPED,
        subs={
            "getactivewindow getwindowname getwindowfocus getmouselocation getdisplaygeometry "
            "getwindowgeometry getwindowpid version help": LOOK,
        },
    ),
    program(
        "xrandr autorandr arandr wlr-randr kscreen-doctor cvt gtf mons xbacklight brightnessctl "
        "light ddcutil ddccontrol redshift gammastep wlsunset hyprsunset xcalib dispwin "
        "xgamma xsetroot xset xinput setxkbmap xmodmap xrdb xsetwacom numlockx unclutter "
        "hsetroot nitrogen swaybg swww hyprpaper wal pywal betterlockscreen i3lock "
        "swaylock slock xtrlock xlock vlock physlock light-locker xscreensaver-command "
        "xautolock xss-lock swayidle caffeine decaffeinate kde-inhibit "
        "gnome-session-inhibit xbanish autoraise picom compton picom-trans xcompmgr trayer "
        "polybar waybar tint2 conky eww dunst mako makoctl dunstctl latte-dock plank fbset "
        "uvcdynctrl v4l2-ctl openrgb liquidctl ckb-next solaar ratbagctl "
        "barrier input-leap qjoypad jstest antimicrox espanso chvt openvt "
        "deallocvt mapscrn screendump screenkey switcher",
        OPENED,
    ),
    program(
        "amixer alsamixer pactl pacmd pamixer pulseaudio-ctl pulsemixer wpctl pw-cli pw-link "
        "pw-dump pw-mon pw-top pw-metadata pw-v4l2 pw-container pw-reserve pipewire wireplumber "
        "wpexec jack_control jackd jack_lsp alsactl easyeffects pavucontrol "
        "pulseaudio spa-acp-tool spa-inspect aconnect qpwgraph helvum",
        OPENED,
    ),
    program(
        "scrot maim gnome-screenshot mate-screenshot spectacle flameshot grim slurp hyprshot "
        "import-window xfce4-screenshooter ksnip shutter xwd ksnapshot "
        "grimshot wayshot deepin-screenshot colorpicker xcolor hyprpicker gpick zbarcam "
        "fswebcam wacaw",
        Act(Verb.WRITE, Thing.FILE, On.LAST),
        writes="-f --file -o --output",
    ),
    setting(
        "gsettings dconf xfconf-query kwriteconfig5 kwriteconfig6 kwriteconfig mateconftool-2 "
        "gconftool-2 gnome-extensions gnome-tweaks lxqt-config plasma-apply-colorscheme "
        "plasma-apply-cursortheme plasma-apply-desktoptheme plasma-apply-lookandfeel "
        "plasma-apply-wallpaperimage lookandfeeltool xdg-mime xdg-settings "
        "xdg-desktop-menu xdg-desktop-icon xdg-icon-resource xdg-user-dirs-update lxappearance "
        "update-xdg kbuildsycoca5 dark-mode konsave fileicon",
        DESKTOP_SET,
        subs={
            "get list-keys list-schemas list-recursively range read list dump watch writable "
            "monitor describe check query": LOOK
        },
    ),
    program("kreadconfig5 kreadconfig6 xdg-user-dir xdg-screensaver", LOOK),
    setting(
        "gnome-session-quit mate-session-save xfce4-session-logout dm-tool "
        "lightdm gdm sddm startx xinit sway i3 i3-msg hyprctl swaymsg bspc qtile awesome "
        "openbox kwin kwin_x11 plasmashell gnome-shell mutter xfwm4 startplasma-x11 "
        "steamos-session-select cage weston kmscon",
        SESSION_OVER,
        subs={
            "reload-config cmd-obj version": LOOK,
            "monitors clients workspaces activewindow layers devices binds": LOOK,
            "query": LOOK,
            "dispatch": OPENED,
            "lock switch-to-greeter": OPENED,
            "list-seats": LOOK,
        },
        acting={"-t": LOOK, "--get": LOOK, "--validate -C --check": LOOK},
    ),
    setting("xhost xauth", PROTECTION_SET, bare=LOOK, subs={"list info": LOOK}),
    program(
        "x11vnc vino-server tigervncserver vncserver x0vncserver wayvnc xrdp krfb waypipe-server",
        Act(
            Verb.CONTROL,
            Thing.NETWORK,
            On.NOTHING,
            frozenset({Trait.LISTENS}),
            Reach.SYSTEM,
            always=True,
        ),
    ),
    program(
        "vncviewer xfreerdp rdesktop remmina krdc anydesk teamviewer rustdesk moonlight xpra "
        "waypipe spicy virt-viewer remote-viewer putty",
        Act(
            Verb.NETWORK_OUT,
            Thing.MACHINE,
            On.FIRST,
            reach=Reach.REMOTE,
            reversible=False,
            always=True,
        ),
    ),
    program("lp lpr a2ps enscript paps mpage gtklp", PRINTED, acting={"-i -H": SERVICE}),
    program("lpstat lpq cups-config ipptool", LOOK),
    program(
        "cancel lprm cupsaccept cupsreject cupsenable cupsdisable lpadmin lpmove lpoptions "
        "cupsctl cupsaddsmb lpc hp-setup ippeveprinter",
        SERVICE,
    ),
    program(
        "scanimage scanadf scim simple-scan sane-find-scanner hp-scan",
        LOOK,
        writes="-o --output-file",
    ),
    program(
        "write wall talk ytalk rwall kdeconnect-cli",
        MESSAGE,
        acting={"-l --list-devices -a --list-available": LOOK},
    ),
    setting(
        "irc tgsend telegram-cli tg wacli signal-cli toot madonctl t tut twurl rainbowstream "
        "slackcat slack matrix-commander mastodon mailsy sendxmpp bitlbee pushover ntfy apprise "
        "gotify noti gnokii gammu",
        MESSAGE,
        subs={
            "list status version receive search show contacts "
            "groups me timeline home doctor help": LOOK
        },
    ),
    program("crontab-ui autostart update-startup dex", LATER, acting={"-d --dry-run": LOOK}),
    program(
        "wine wine64 proton box64 qemu-user mono",
        OPENED,
        subs={"reg": setting("", USER_SET), "uninstaller": USER_SET, "regedit": USER_SET},
    ),
    program("termux-notification termux-battery-status", LOOK),
    setting(
        "steamos-readonly steamos-devmode steamos-update steamosctl steamos-select-branch",
        SYSTEM_SET,
    ),
    program(
        "electrum bitcoin-cli monero-wallet-cli geth solana ethers octez-client sui",
        WORKS,
        subs={
            "payto paytomany send sendtoaddress sendmany transfer transfer_all broadcast sweep "
            "sendrawtransaction sweep_all originate delegate pay pay-sui pay-all-sui call": SPENT,
            "create restore createnewaddress signmessage getprivatekeys getseed import "
            "dumpprivkey importprivkey": SECRET_SET,
        },
    ),
    program(
        "ledger hledger hledger-web hledger-ui beancount bean-check bean-report gnucash-cli "
        "fava calcurse khal khard remind when taskwarrior task todo todo.sh watson timew "
        "todoman dnote nb jrnl zk buku shiori taskell",
        WORKS,
    ),
)
