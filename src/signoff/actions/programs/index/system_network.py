"""Which family describes which program: the part `system_network`.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {
    "system.network.attacks": (
        "GetNPUsers.py GetUserSPNs.py ROPgadget Responder.py ab addcomputer.py airbase-ng "
        "aircrack-ng airdecap-ng aireplay-ng airgraph-ng airmon-ng airodump-ng apktool arachni "
        "arpspoof arpwatch atexec.py beef-xss bettercap binwalk bkcrack bloodhound-python "
        "bombardier bro bruteforce-luks bully burpsuite cap2hccapx capinfos certipy cewl checksec "
        "cloudsploit cobaltstrike commix covenant cowpatty crackmapexec creddump7 crowbar crunch "
        "cupp dcomexec.py detect-secrets dex2jar dhcpwn dirb dirbuster dirsearch dnscat dnscat2 "
        "dnsenum dnsrecon dnsspoof dumpcap editcap empire enum4linux ettercap evil-winrm "
        "fcrackzip feroxbuster ffuf fierce fluxion getArch.py getST.py getTGT.py ggshield ghidra "
        "gitleaks gobuster goldeneye gosecretsdump hash-identifier hashcat hashcat-cli hashdump "
        "hashid hcxhashtool hexeditor hey hping3 http_load httpry hydra icmptunnel "
        "impacket-psexec impacket-secretsdump iodine iodined ipsumdump jadx john kerbrute kismet "
        "kiterunner kr kwprocessor lazagne lsassy macof masscan mdk3 mdk4 medusa mergecap "
        "mimikatz mitm6 mitmdump mitmproxy mitmweb msfconsole msfrpcd msfvenom mssqlclient.py "
        "naabu ncrack netexec netsniff-ng ngrep nikto nmap noseyparker nping ntfs-read.py nth "
        "ntlmrelayx.py nuclei nxc nxcdb oha one_gadget onesixtyone ophcrack owneredit.py pacu "
        "patator pcapfix pdfcrack princeprocessor prowler proxify psexec.py ptunnel pwn pwncat "
        "pwncat-cs pypykatz pyrit r2 radare2 rarcrack rcracki_mt reaver reg.py responder retdec "
        "ropper routersploit rpcclient rpcdump.py rpcmap.py rubeus rustscan samdump2 scout "
        "scoutsuite searchsploit secretsdump.py services.py setoolkit siege skipfish "
        "sliver-client slowloris smbclient.py smbexec.py smbmap smbserver.py sngrep snort sqlmap "
        "ssldump steghide stegsolve suricata tcpdump tcpflow tcpick tcpkill tcprewrite tcpslice "
        "termshark ticketConverter.py ticketer.py torify torsocks trufflehog tshark udp2raw "
        "unicornscan vegeta vol vol.py volatility wapiti wfuzz wifiphisher wifite wireshark "
        "wmiexec.py wordlistctl wpaclean wpscan wrk xsser xsstrike yersinia zaproxy zeek zenmap "
        "zmap zsteg "
    ),
    "system.network.firewalls": (
        "apf arptables csf ebtables ebtables-restore ebtables-save ferm firewall-cmd "
        "firewall-offline-cmd gufw ip6tables ip6tables-restore ip6tables-save ipfw ipset iptables "
        "iptables-apply iptables-legacy iptables-nft iptables-restore iptables-save nft "
        "opensnitch-ui opensnitchd pfctl pve-firewall shorewall shorewall6 ufw xdp-filter "
        "xdp-loader "
    ),
    "system.network.interfaces": (
        "airport amass arp arp-scan asnmap avahi-browse bgpq3 bgpq4 birdc bluetoothctl bluetui "
        "braa brctl bridge bssh btmgmt cariddi chat chntpw connmanctl conntrack create_ap dcb "
        "devlink dhclient dhcpcd dnsmap dnstracer dnswalk dnsx ether-wake etherwake ethstats "
        "ethtool expressvpn fast fastd gau gpclient hamachi hciconfig hcitool holehe hostapd "
        "hostapd_cli httping httprobe httpx ifconfig ifdown ifenslave ifquery ifup ip iperf "
        "iperf3 ipmaddr ippfind ipscan ipsec iptunnel ipvsadm is-online is-up ivpn iw iwconfig "
        "iwctl iwd katana knock knotc lft lpinfo macchanger massdns mbimcli mii-tool miredo mmcli "
        "mmdblookup mosquitto_pub mosquitto_sub mullvad nameif nbtscan ndppd nebula netbird "
        "netctl netctl-auto netperf netplan netserver netsh-x networkctl networkd-dispatcher "
        "nm-connection-editor nmcli nmtui nmtui-connect nmtui-edit nordvpn nsupdate nuttcp "
        "openconnect openfortivpn openvpn openvpn3 ovs-ofctl ovs-vsctl pageres paping "
        "pdns_control pdnsutil piactl pivpn poff pon pppd pppoeconf protonvpn protonvpn-cli pump "
        "qmicli qperf radvd rdma resolvconf resolvectl resolveip rfcomm rfkill riseup-vpn rndc "
        "route rpcinfo rwhois sherlock sipsak slattach snmpbulkget snmpbulkwalk snmpdf snmpget "
        "snmpgetnext snmpset snmpstatus snmptable snmptranslate snmptrap snmpwalk sntp speed-test "
        "speedtest speedtest-cli speedtest-rs spf spfquery ssl-cert-check sslscan sslyze "
        "strongswan subfinder sublist3r swanctl systemd-resolve tailscale tc tcptraceroute "
        "testssl tinc tincd tlsx tor traceroute6 tunctl twingate udhcpc6 udp-receiver udp-sender "
        "unbound-control upnpc usb_modeswitch vconfig vde_switch vdpa vpnc vtysh wafw00f wait4x "
        "wakeonlan warp-cli waymore wg wg-quick whatwaf whatweb wicked wifi-menu wifi-password "
        "windscribe wireguard-go wol wpa_cli wpa_passphrase wpa_supplicant wvdial wwand "
        "zerotier-cli zerotier-idtool zerotier-one zonemaster-cli "
    ),
}
