"""Desktop, media and printing tools."""

from __future__ import annotations

from collections.abc import Callable

PASSES = r"""
ffmpeg -i a.mov -c:v libx264 a.mp4
magick a.png -resize 50% b.png
convert a.png b.jpg
mogrify -resize 50% img/a.png
exiftool a.jpg
exiftool -all= a.jpg
pandoc README.md -o README.pdf
dot -Tsvg g.dot -o g.svg
yt-dlp https://video.example/a
xdg-open out.html
open .
notify-send done
xclip -selection clipboard -o
pbpaste
gsettings get org.gnome.desktop.interface gtk-theme
pactl list sinks
lpstat -p
scrot shot.png
mpv a.mp4
gs -sDEVICE=pdfwrite -o out.pdf in.pdf
zenity --info --text hi
inkscape a.svg -o a.png
tesseract a.png out
xrandr
qemu-img info disk.img
hledger balance
"""
ASKED = r"""
ffmpeg -i a.mp4 -f flv rtmp://live.example/x
ffmpeg -i a.mov /srv/a.mp4
gsettings set org.gnome.desktop.interface gtk-theme x
dconf write /a/b 1
cancel 12
lpadmin -p x
x11vnc -forever
wall hello
signal-cli send -m hi +100
yt-dlp --exec 'cp {} /etc/x' https://video.example/a
exiftool -all= ~/Pictures/a.jpg
gnome-session-quit
xhost +local:
vncviewer host.example
"""
DENIED = r"""
yt-dlp --exec 'rm -rf ~' https://video.example/a
"""


def test_line_is_judged(line: str, expected: str, verdict: Callable[[str], str]) -> None:
    """A line with a desktop tool gets the verdict of the policy."""
    assert expected == verdict(line)
