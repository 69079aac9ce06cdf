# Runs signoff from this checkout on Windows; sets it up in .venv the first time.
#
#     powershell -ExecutionPolicy Bypass -File packaging\signoff.ps1 check -- git push --force
#
# Needs Python 3.12.4 or later. Ends with signoff's own status: 0 allow, 1 ask, 2 deny or a failure.
$root = Split-Path -Parent $PSScriptRoot
$python = Join-Path $root '.venv\Scripts\python.exe'

function Stop-Here([string] $why) {
    [Console]::Error.WriteLine("signoff: $why")
    exit 2
}

try {
    if (-not (Test-Path -LiteralPath $python)) {
        & py -3 -m venv (Join-Path $root '.venv')
        if ($LASTEXITCODE -ne 0) { Stop-Here 'no Python was found: winget install Python.Python.3.13' }
        & $python -m pip install --quiet $root
        if ($LASTEXITCODE -ne 0) {
            Remove-Item -Recurse -Force -LiteralPath (Join-Path $root '.venv')
            Stop-Here 'it could not be installed; what pip says stands above'
        }
    }
    & $python -I -m signoff @args
    exit $LASTEXITCODE
} catch {
    Stop-Here "it could not be started: $_"
}
