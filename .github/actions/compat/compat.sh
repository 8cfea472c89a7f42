#!/usr/bin/env bash
# Runs `skills compat` for a workflow: annotations on the output, a table in the summary, a SARIF file. Ends as it does.
# SKILLS_AGENTS, SKILLS_FOLDER and SKILLS_VERSION are the inputs; SKILLS_COMMAND stands in for npx where it is set.
set -u

program=(npx --yes "@skills/cli@${SKILLS_VERSION:-latest}")
[ -n "${SKILLS_COMMAND:-}" ] && read -r -a program <<<"$SKILLS_COMMAND"
options=(compat --cwd "${SKILLS_FOLDER:-.}")
[ -n "${SKILLS_AGENTS:-}" ] && options+=("--for=$SKILLS_AGENTS")

"${program[@]}" "${options[@]}" --format github
code=$?
# 2: the command line was not understood, and would not be the next time.
[ "$code" -ge 2 ] && exit "$code"

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  "${program[@]}" "${options[@]}" --format markdown >>"$GITHUB_STEP_SUMMARY" || [ $? -eq 1 ] || exit 2
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  sarif="${RUNNER_TEMP:-/tmp}/skills-compat.sarif"
  "${program[@]}" "${options[@]}" --format sarif >"$sarif" || [ $? -eq 1 ] || exit 2
  printf 'sarif=%s\n' "$sarif" >>"$GITHUB_OUTPUT"
fi
exit "$code"
