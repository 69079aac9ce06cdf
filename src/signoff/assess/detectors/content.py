"""The detectors of this house that read texts: web requests, results, contents, descriptions.

A visible list: nothing is scanned for.
"""

from __future__ import annotations

from signoff.assess.detectors import (
    command_injection,
    csrf,
    file_content_leak,
    graphql_abuse,
    header_injection,
    jwt_attack,
    ldap_injection,
    mcp_tool_poisoning,
    nosql_injection,
    object_injection,
    open_redirect,
    path_traversal,
    personal_data,
    prompt_injection,
    reflected_xss,
    request_smuggling,
    rfi,
    scanner_probe,
    secrets,
    sql_error_leak,
    sql_injection,
    ssrf,
    template_injection,
    unread_text,
    xss,
    xxe,
)

WEB_DETECTORS = (
    sql_injection.DETECTOR,
    nosql_injection.DETECTOR,
    xss.DETECTOR,
    command_injection.DETECTOR,
    template_injection.DETECTOR,
    path_traversal.DETECTOR,
    xxe.DETECTOR,
    open_redirect.DETECTOR,
    ssrf.DETECTOR,
    rfi.DETECTOR,
    header_injection.DETECTOR,
    ldap_injection.DETECTOR,
    object_injection.DETECTOR,
    request_smuggling.DETECTOR,
    jwt_attack.DETECTOR,
    csrf.DETECTOR,
    graphql_abuse.DETECTOR,
    scanner_probe.DETECTOR,
)
RESULT_DETECTORS = (
    sql_error_leak.DETECTOR,
    reflected_xss.DETECTOR,
    file_content_leak.DETECTOR,
    personal_data.DETECTOR,
)
TEXT_DETECTORS = (
    secrets.DETECTOR,
    prompt_injection.DETECTOR,
    mcp_tool_poisoning.DETECTOR,
    unread_text.DETECTOR,
)
CONTENT_DETECTORS = (*TEXT_DETECTORS, *WEB_DETECTORS, *RESULT_DETECTORS)
