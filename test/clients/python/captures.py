"""Writes the datagrams of a capture as pcap and pcapng, by dpkt.

Arguments: the lines with the datagrams (packed by gzip), and the folder for the files.
"""
import gzip
import json
import sys

import dpkt
from dpkt.ethernet import Ethernet
from dpkt.ip import IP
from dpkt.udp import UDP

START = 1700000000
PORT = 20777


def packet(data):
    udp = UDP(sport=50000, dport=PORT, data=data)
    udp.ulen = len(udp)
    ip = IP(src=bytes([192, 168, 0, 7]), dst=bytes([192, 168, 0, 8]), p=dpkt.ip.IP_PROTO_UDP, data=udp)
    ip.len = len(ip)
    return bytes(Ethernet(data=ip))


with gzip.open(sys.argv[1], "rt") as lines, open(f"{sys.argv[2]}/game.pcap", "wb") as one, open(
    f"{sys.argv[2]}/game.pcapng", "wb"
) as other:
    writers = [dpkt.pcap.Writer(one), dpkt.pcapng.Writer(other)]
    for line in lines:
        captured = json.loads(line)
        for writer in writers:
            writer.writepkt(packet(bytes.fromhex(captured["hex"])), ts=START + captured["t"])
