"""Names of files and tables that hold private data of people, and names that only sound so."""

from __future__ import annotations

import pytest

from signoff.actions.lexicon.private_names import holds_people, names_people

FILES = (
    *("exports/payroll_2025.xlsx", "customers_iban.csv", "hr/employees_home_address.csv"),
    *(
        "lohnjournal_2025-06.csv",
        "sv_nummern_steuer_id.xlsx",
        "kundenstamm/kunden_geburtsdatum.csv",
    ),
    *("fiches_de_paie_juin.zip", "clients_date_naissance.csv", "nominas_empleados.ods"),
    *("clienti_codice_fiscale.ndjson", "folha_de_pagamento.xlsx", "klanten_bsn.csv"),
    *("pacjenci_pesel.csv", "patientdata/potilaat_hetu.csv", "kunder_personnummer.parquet"),
    *("customers_full_name_iban.json", "employees_salary_dump.sql", "users_all.csv.gz"),
)
NO_FILES = (
    *("customers.csv", "src/customers-page.tsx", "docs/employees.md", "salary-calculator.zip"),
    *("fixtures/payroll_sample.csv", "synthetic_patients.parquet", "customers_anonymised_iban.csv"),
    *("patients_count_by_month.csv", "payroll.sql", "locales/passport.json", "customer_schema.csv"),
    *("births_by_year.csv", "patient-portal-1.2.zip", "payroll.py", "contacts.json"),
)
TABLES = (
    "einwohner_adressen",
    "PROD.KUNDEN.STAMM",
    "hr.payroll",
    "customers_pii",
    "crm.users_email",
)
NO_TABLES = ("customers", "orders_full", "prod.orders", "patients_test_iban", "users", "payroll")


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_people_is_known_by_its_name(name: str) -> None:
    """One private column in a table, or two signs elsewhere."""
    assert holds_people(name)


@pytest.mark.parametrize("name", NO_FILES)
def test_a_name_with_one_such_word_is_no_file_of_people(name: str) -> None:
    """Code, texts, made-up data, counts, and lists of whom nothing is said."""
    assert not holds_people(name)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_people_is_known_by_two_signs(name: str) -> None:
    """People with what reaches or concerns them, or with all there is of them."""
    assert names_people(name)


@pytest.mark.parametrize("name", NO_TABLES)
def test_one_sign_makes_no_table_of_people(name: str) -> None:
    """A table of customers may hold their number of orders."""
    assert not names_people(name)
