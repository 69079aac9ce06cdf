"""Functions of R packages that act on services: R has no client objects that would tell.

    rsconnect::deployApp(appName = "dash")     PUBLISH
    googledrive::drive_rm("minutes")           DELETE, cannot be undone
    blastula::smtp_send(mail, to = "a@b")      NETWORK_OUT a message

The names are those of the packages' reference manuals on CRAN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN, Value
from signoff.actions.operation import Reach, ResourceType, Verb

_Act = tuple[Verb, ResourceType]
_ACTS: Mapping[_Act, str] = {
    (Verb.PUBLISH, ResourceType.CLOUD): (
        "rsconnect::deployApp rsconnect::deployDoc rsconnect::deploySite rsconnect::deployAPI"
        " rsconnect::deployTFModel connectapi::deploy quarto::quarto_publish_site"
        " quarto::quarto_publish_doc quarto::quarto_publish_app bookdown::publish_book"
        " googledrive::drive_share googledrive::drive_publish"
    ),
    (Verb.PUBLISH, ResourceType.PACKAGE): "devtools::release devtools::submit_cran",
    (Verb.DELETE, ResourceType.CLOUD): (
        "rsconnect::terminateApp rsconnect::purgeApp connectapi::content_delete"
        " googledrive::drive_rm googledrive::drive_trash googledrive::drive_empty_trash"
        " googlesheets4::sheet_delete"
        " bigrquery::bq_dataset_delete bigrquery::bq_table_delete aws.s3::delete_object"
        " aws.s3::delete_bucket pins::pin_delete pins::pin_versions_prune"
        " AzureStor::delete_storage_file AzureStor::delete_storage_dir"
        " AzureStor::delete_storage_container AzureStor::delete_blob_container"
    ),
    (Verb.DELETE, ResourceType.DATABASE): "DBI::dbRemoveTable",
    (Verb.CONFIGURE, ResourceType.CLOUD): (
        "rsconnect::configureApp rsconnect::setProperty rsconnect::addAuthorizedUser"
        " connectapi::set_environment_new connectapi::content_add_user"
    ),
    (Verb.NETWORK_OUT, ResourceType.MESSAGE): (
        "blastula::smtp_send gmailr::gm_send_message gmailr::gm_send_draft mailR::send.mail"
        " slackr::slackr slackr::slackr_msg slackr::slackr_bot telegram.bot::send_message"
    ),
}


def r_packages() -> dict[str, Callable[[Recorder, list[Value]], Value]]:
    """Return the functions by name, as a language's special calls."""
    found: dict[str, Callable[[Recorder, list[Value]], Value]] = {}
    for act, names in _ACTS.items():
        for name in names.split():
            found[name.replace("::", ".")] = _recorded(act, name)
            function = name.partition("::")[2]
            # Behind `library(rsconnect)`; a plain word may be anybody's.
            if not function.islower() or "_" in function:
                found[function] = _recorded(act, name)
    return found


def _recorded(act: _Act, name: str) -> Callable[[Recorder, list[Value]], Value]:
    verb, thing = act

    def record(recorder: Recorder, arguments: list[Value]) -> Value:
        named = [one for one in arguments if one.is_known]
        recorder.operate(
            verb, name, thing=thing, target=(named[0].text or "") if named else name,
            reach=Reach.REMOTE, reversible=verb is Verb.CONFIGURE,
        )  # fmt: skip
        return UNKNOWN

    return record
