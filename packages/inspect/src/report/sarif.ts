import * as s from '@skills/core/schema'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { slashes } from '@skills/files/internal'
import type { Diagnostic } from '@skills/core'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

const sarifOptions = s.options('sarif()', {
  /** Absolute folder that paths are relative to: that of the checkout. */
  root: s.text().required(),
  /** Version of the program that made the report. */
  version: s.text().required(),
  /** Meaning of each code. Default: none. */
  rules: s.record(s.text()).default({}),
})

export interface SarifOptions extends s.OptionsOf<typeof sarifOptions> {}

/** Log in the format SARIF 2.1.0, which the code scanning of GitHub accepts. */
export interface SarifLog {
  readonly $schema: string
  readonly version: '2.1.0'
  readonly runs: [SarifRun]
}

interface SarifRun {
  readonly tool: { readonly driver: { readonly name: string; readonly version: string; readonly rules: SarifRule[] } }
  readonly columnKind: 'utf16CodeUnits'
  readonly originalUriBaseIds: { readonly ROOT: { readonly uri: string } }
  readonly results: SarifResult[]
}

interface SarifRule {
  readonly id: string
  readonly shortDescription?: { readonly text: string }
}

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: (typeof levels)[keyof typeof levels]
  readonly message: { readonly text: string }
  readonly locations: SarifLocation[]
}

interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: 'ROOT' }
    readonly region: { readonly startLine: number; readonly startColumn?: number }
  }
}

/** Formats findings as a SARIF log. Throws `E_INVALID_OPTION`. */
export function sarif(diagnostics: readonly Diagnostic[], given: SarifOptions): SarifLog {
  const { root, version, rules } = sarifOptions.read(given)
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted()
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'skills',
            version,
            rules: codes.map(id => {
              const text = rules[id]
              return { id, ...(text !== undefined && { shortDescription: { text } }) }
            }),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
        results: diagnostics.map(one => ({
          ruleId: one.code,
          ruleIndex: codes.indexOf(one.code),
          level: levels[one.severity],
          message: { text: [one.message, one.hint ?? ''].join(' ').trim() },
          locations: locationsOf(one, root),
        })),
      },
    ],
  }
}

function locationsOf({ path, line, column }: Diagnostic, root: string): SarifLocation[] {
  if (path === undefined) return []
  // Code scanning shows no finding without a line, so one about the whole file is placed at line 1.
  const region = { startLine: line ?? 1, ...(column !== undefined && { startColumn: column }) }
  return [{ physicalLocation: { artifactLocation: placeOf(path, root), region } }]
}

/** Returns a relative address for a path below the root, otherwise a file URL. */
function placeOf(path: string, root: string): SarifLocation['physicalLocation']['artifactLocation'] {
  const below = slashes(relative(root, path))
  return below.startsWith('../') || below === '..'
    ? { uri: pathToFileURL(path).href }
    : { uri: below.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
}
