"""Client libraries that nobody described: what their calls do to others, and what is ordinary."""

from __future__ import annotations

import pytest

from signoff.actions.code.reading import understand_code
from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.actions.place import Place

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")
COUNTED = frozenset(
    {Verb.DELETE, Verb.SPEND, Verb.NETWORK_OUT, Verb.CONTROL, Verb.CONFIGURE, Verb.PRIVILEGE}
)


def acts(text: str, language: str = "python") -> list[Operation]:
    """Return what a snippet does to others."""
    found = understand_code(text, language=language, place=PLACE).operations
    return [one for one in found if one.verb in COUNTED]


PYTHON = [
    ("import redis; redis.Redis(host='cache.example.com').flushall()", Verb.DELETE),
    ("import pymongo; pymongo.MongoClient(u).drop_database('shop')", Verb.DELETE),
    ("import pymongo; pymongo.MongoClient(u)['shop']['orders'].delete_many({})", Verb.DELETE),
    ("import github; github.Github(t).get_repo('a/b').delete()", Verb.DELETE),
    ("import docker; docker.from_env().containers.get('web').remove()", Verb.DELETE),
    ("import acme; c = acme.connect('10.0.0.1'); c.delete('x')", Verb.DELETE),
    ("import acme, os; acme.api_key = os.environ['K']; acme.Item.delete('x')", Verb.DELETE),
    ("from ldap3 import Connection as C\nC('ldap.example').delete('uid=a')", Verb.DELETE),
    ("import stripe; stripe.Refund.create(charge='ch_1')", Verb.SPEND),
    ("import twilio.rest as t; t.Client(a, b).messages.create(to='+49')", Verb.NETWORK_OUT),
    ("import slack_sdk as s; s.WebClient().chat_postMessage(channel='a')", Verb.NETWORK_OUT),
    ("import plc; c = plc.Client(); c.plc_stop()", Verb.CONTROL),
    ("import mlflow as m; m.set_uri('http://m.example'); m.delete_run('1')", Verb.DELETE),
    ("import web3; web3.Web3(p).eth.send_transaction(t)", Verb.SPEND),
    ("from huggingface_hub import HfApi; HfApi().upload_folder(folder_path='.')", Verb.NETWORK_OUT),
    ("import paramiko; s = paramiko.SSHClient().open_sftp(); s.remove('/etc/a')", Verb.DELETE),
    ("from pymodbus.client import TcpClient as C; C('10.0.0.9').write_coil(1, True)", Verb.CONTROL),
    ("import net; c = net.ConnectHandler(host='192.0.2.1'); c.send_config_set([])", Verb.CONFIGURE),
]
PYTHON += [
    ("import paho.mqtt.publish as p; p.single('line/pump', 'off', hostname='m.example')",
     Verb.NETWORK_OUT),
    ("from ldap3 import Connection as C; C('l.example').modify('cn=a', {})", Verb.PRIVILEGE),
    ("import kubernetes.client as k; k.AppsV1Api().patch_deployment_scale('w', 'ns', {})",
     Verb.CONFIGURE),
    ("import kubernetes.client as k; k.RbacApi().create_cluster_role_binding({})",
     Verb.PRIVILEGE),
]  # fmt: skip
SCRIPTS = [
    ("require 'bunny'; c = Bunny.new(U).start; c.queue('a').purge", "ruby", Verb.DELETE),
    (
        "const {MongoClient}=require('mongodb');"
        "MongoClient.connect(u).then(c=>{ c.db('a').collection('b').drop() })",
        "javascript",
        Verb.DELETE,
    ),
    ("const m=new Map(); m.delete('a'); m.clear()", "javascript", None),
    ("const {C}=require('acme'); new C({token:'t'}).deleteAllUsers()", "javascript", Verb.DELETE),
    ("const s=require('stripe')(process.env.K); s.refunds.create({})", "javascript", Verb.SPEND),
    ("const {D}=require('client-a'); new DeleteBucketCommand({})", "javascript", None),
    (
        "const {S3Client,DeleteBucketCommand}=require('client-s3');"
        "new S3Client({}).send(new DeleteBucketCommand({Bucket:'b'}))",
        "javascript",
        Verb.DELETE,
    ),
    ("require 'redis'; Redis.new(host: 'cache.example.com').flushall", "ruby", Verb.DELETE),
    ("require 'stripe'; Stripe::Refund.create({charge: 'ch_1'})", "ruby", Verb.SPEND),
    ("$r = new Redis(); $r->connect('cache.example.com'); $r->flushAll();", "php", Verb.DELETE),
    ("const _=require('lodash'); _.remove([1],n=>n)", "javascript", None),
    ("require 'nokogiri'; Nokogiri::HTML(s).css('p').remove", "ruby", None),
]


@pytest.mark.parametrize(("text", "verb"), PYTHON)
def test_what_a_client_does_to_others_is_told_by_its_names(text: str, verb: Verb) -> None:
    assert verb in [one.verb for one in acts(text)]


@pytest.mark.parametrize(("text", "language", "verb"), SCRIPTS)
def test_the_same_in_other_languages(text: str, language: str, verb: Verb | None) -> None:
    assert [one.verb for one in acts(text, language)] == ([verb] if verb else [])


def test_a_client_of_aws_is_read_as_the_program() -> None:
    start = "import boto3; c = boto3.client('s3'); "
    lines = [
        ("c.put_object_acl(Bucket='b', Key='k', ACL='public-read')",
         "aws s3api put-object-acl --bucket b --key k --acl public-read"),
        ("c.upload_file('a.csv', 'b', 'k')", "aws s3 cp a.csv s3://b/k"),
        ("c.download_file('b', 'k', 'a.csv')", "aws s3 cp s3://b/k a.csv"),
        ("c.list_buckets()", "aws s3api list-buckets"),
    ]  # fmt: skip
    for code, line in lines:
        assert list(understand_code(start + code, language="python", place=PLACE).shell) == [line]
    (all_of_it,) = acts("import boto3; boto3.resource('ec2').instances.all().terminate()")
    assert Trait.WHOLE_STORE in all_of_it.traits


def test_a_container_is_read_as_the_line_of_docker() -> None:
    code = understand_code(
        "import docker; docker.from_env().containers.run('a', 'rm -rf /h', volumes={'/': '/h'})",
        language="python",
        place=PLACE,
    )

    assert list(code.shell) == ["docker run -v /:/h a rm -rf /h"]


ORDINARY = [
    "import numpy as np; np.delete(np.arange(5), 1)",
    "import pandas as pd; pd.read_csv('a.csv').drop(columns=['a'])",
    "import openpyxl; wb = openpyxl.load_workbook('a.xlsx'); wb.active.delete_rows(2, 3)",
    "import networkx as nx; nx.Graph().remove_node(1)",
    "import bpy; bpy.ops.object.delete()",
    "from selenium import webdriver; webdriver.Chrome().delete_all_cookies()",
    "from starlette.testclient import TestClient; TestClient(app).delete('/items/1')",
    "from fastapi import FastAPI; app = FastAPI()\n@app.delete('/x')\ndef gone(): pass",
    "import fakeredis; fakeredis.FakeRedis().flushall()",
    "import anthropic; anthropic.Anthropic().messages.create(model='m', messages=[])",
    "import stripe, os; stripe.api_key = os.environ['K']; stripe.Customer.list()",
    "import docker; [print(c.name) for c in docker.from_env().containers.list()]",
    "from playwright.sync_api import sync_playwright as s; p = s().start(); p.stop()",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_libraries_that_compute_and_doubles_of_tests_do_nothing_to_others(text: str) -> None:
    assert acts(text) == []


def test_all_that_a_service_lists_is_more_than_what_a_condition_or_filter_chooses() -> None:
    start = "import gitlab; g = gitlab.Gitlab('https://git.example.com')\n"
    (whole,) = acts(f"{start}for p in g.projects.list(): p.delete()")
    (chosen,) = acts(f"{start}for p in g.projects.list():\n  if p.old: p.delete()")
    (searched,) = acts(f"{start}for p in g.projects.list(search='tmp'): p.delete()")
    (filtered,) = acts(f"{start}[p.delete() for p in g.projects.list() if p.old]")

    assert Trait.WHOLE_STORE in whole.traits
    assert all(Trait.BULK not in one.traits for one in (chosen, searched, filtered))


def test_where_it_happens_is_told_by_the_host() -> None:
    near = acts("import redis; redis.Redis().delete('k')")
    far = acts("import redis; redis.Redis(host='cache.example.com').delete('k')")
    live = acts("import redis; redis.Redis(host='cache.prod.example.com').delete('k')")

    assert [one.reach for one in (*near, *far, *live)] == [
        Reach.LOOPBACK,
        Reach.REMOTE,
        Reach.PRODUCTION,
    ]


def test_a_line_that_a_client_runs_elsewhere_is_read_as_a_line() -> None:
    code = understand_code(
        "from fabric import Connection; Connection('h.example').run('rm -rf /srv')",
        language="python",
        place=PLACE,
    )

    assert "rm -rf /srv" in code.shell
