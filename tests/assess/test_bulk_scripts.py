"""Code in any language: a loop or a statement that deletes everything, and what narrows it."""

from __future__ import annotations

import pytest

from signoff.assess.combined.bulk.scripts import empties_everything


@pytest.mark.parametrize(
    "code",
    [
        "items.each { it.delete() }",
        "for (Account a : [SELECT Id FROM Account]) { delete a; }",
        "foreach ($DB->get_records('user') as $u) { delete_user($u); }",
        "LOOP AT lt INTO ls.\n  DELETE FROM zt WHERE id = ls-id.\nENDLOOP.",
        "while (it.hasNext()) { it.next().destroy(); }",
        "for r in (select id from t) loop delete from t where id = r.id; end loop;",
        "ForAll d In coll.Documents\n  Call d.Remove(True)\nEnd ForAll",
        "DELETE PROD.LEDGER.** MASK PURGE",
        "env['res.partner'].search([]).unlink()",
        "delete [SELECT Id FROM Lead];",
    ],
)
def test_all_that_is_listed_is_deleted(code: str) -> None:
    """A head that lists, a body that deletes, and nothing that leaves some out."""
    assert empties_everything(code)


@pytest.mark.parametrize(
    "code",
    [
        "items.each { println it.name }",
        "items.findAll { it.old }.each { it.delete() }",
        "users.each { |u| u.destroy if u.expired }",
        "for (String s : ['a', 'b']) { delete(s); }",
        "for x in ['a', 'b']:\n    delete(x)",
        "delete from orders where id = 7;",
        "for n in nodes:\n    print(n)\ndelete(one)",
        "layers.forEach(l => l.remove())",
        "item.delete()",
        "",
    ],
)
def test_some_of_it_or_one_is_not_everything(code: str) -> None:
    """A condition, a list that is written out, a look, or one thing."""
    assert not empties_everything(code)
