import type { Program } from './program.js'

const transfer: Program = {
  options: { code: '--upload-pack --receive-pack --exec -u -c --config --template -o ' + '--server-option' },
}
const code: Program = { always: 'code' }

/** Programs that git runs. Another folder or configuration may name further ones. */
export const git: Program = {
  operand: 'file',
  plain:
    '-P --no-pager --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs ' +
    '--icase-pathspecs --no-optional-locks --no-advice',
  options: {
    code:
      '-c --config-env --exec-path -C --git-dir --work-tree --namespace -p --paginate --attr-source ' +
      '--super-prefix',
  },
  asks: '-v -h --exec-path --html-path --man-path --info-path',
  subcommands: {
    '*': { always: 'program', options: { code: '-c --exec' } },
    // Other words are aliases, or names of programs.
    ['log|show|diff|status|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|for-each-ref|' +
    'show-ref|name-rev|whatchanged|range-diff|merge-base|cherry|diff-tree|diff-files|diff-index|check-ignore|check-attr|' +
    'check-ref-format|show-branch|symbolic-ref|var|version|help|fsck|count-objects|verify-commit|verify-tag|reflog|stage|' +
    'branch|tag|remote|stash|notes|worktree|add|commit|checkout|switch|restore|reset|merge|rm|mv|clean|cherry-pick|' +
    'revert|apply|am|gc|prune|repack|pack-refs|update-index|read-tree|write-tree|hash-object|mktree|commit-tree|' +
    'update-ref|sparse-checkout|rerere|format-patch|bundle']: {},
    init: { options: { code: '--template --separate-git-dir' } },
    grep: { options: { code: '-O --open-files-in-pager' } },
    archive: { options: { code: '--exec --remote' } },
    'fetch|clone|ls-remote|pull|fetch-pack': transfer,
    'push|send-pack': { options: { code: '--receive-pack --exec' } },
    rebase: { options: { script: '-x --exec', code: '-i --interactive --edit-todo' } },
    bisect: { subcommands: { '*': {}, run: { operand: 'program' }, 'visualize|view': code } },
    submodule: { subcommands: { '*': {}, foreach: { operand: 'script', plain: '--recursive -q --quiet' } } },
    config: {
      all: texts =>
        /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)$/.test(texts[0] ?? '') &&
        !texts.some(text => /^(?:-[^l]|--(?!get|list))/.test(text))
          ? undefined
          : 'code',
    },
    ['filter-branch|difftool|mergetool|send-email|daemon|instaweb|hook|credential|maintenance|for-each-repo|remote-ext|' +
    'remote-fd|gui|citool|shell|p4|svn|web--browse|upload-pack|receive-pack|upload-archive|imap-send|http-backend|' +
    'fast-import|replay|cvsserver|lfs|flow|annex|secret']: code,
  },
}
