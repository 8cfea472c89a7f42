import { readFileSync } from 'node:fs'
import type { ContractCase } from './contract/contract-case.js'
import { expect, test } from 'vitest'
import * as testing from './index.js'
import * as vitest from './vitest.js'

test('what the package exports is what is meant to be used', () => {
  expect(Object.keys(testing).toSorted()).toEqual([
    'ContractError',
    'countFileReads',
    'executorContract',
    'expanderContract',
    'fakeClock',
    'fakeHost',
    'fileSourceContract',
    'fileStore',
    'fixedSourceContract',
    'formatterContract',
    'largeSourceContract',
    'permissionContract',
    'remoteSourceContract',
    'runContract',
    'runnerContract',
    'runsContract',
    'sourceContract',
    'storeContract',
    'tempTree',
    'withoutRoot',
  ])
  expect(Object.keys(vitest).toSorted()).toEqual([
    'testContract',
    'testExecutor',
    'testExpander',
    'testFixedSource',
    'testFormatter',
    'testPermission',
    'testRemoteSource',
    'testRunner',
    'testRuns',
    'testSource',
    'testStore',
  ])
})

test('every rule of every contract is told in the README, with what it needs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replaceAll('`', '')
  const make = (): never => {
    throw new Error('Nothing is made before a case runs.')
  }
  const contracts: Readonly<Record<string, (without: Readonly<Record<string, string>>) => readonly ContractCase[]>> = {
    '## A source without a store': () => testing.fixedSourceContract(make),
    '## A source of a server': without => testing.remoteSourceContract(make, { without }),
    '## A large source': without => testing.largeSourceContract(make, { without }),
    '## Permission providers': without => testing.permissionContract(make, { without }),
    '## Executors': without => testing.executorContract(make, { without }),
    '## Expanders': without => testing.expanderContract(make, { without }),
    '## Formatters': without => testing.formatterContract(make, { without }),
    '## Runners': without => testing.runnerContract(make, { without }),
    '## Runs': without => testing.runsContract(make, { without }),
    '## Stores': without => testing.storeContract(make, { without }),
  }
  for (const [heading, casesOf] of Object.entries(contracts)) {
    const section = readme.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    const rows = section
      .split('\n')
      .flatMap(line => /^\| ([a-z-]+) \| (.*) \|([^|]*)\|$/.exec(line)?.slice(1) ?? [])
      .map(cell => cell.trim())
    const told = Array.from({ length: rows.length / 3 }, (_, at) => rows.slice(3 * at, 3 * at + 3)).filter(([name]) =>
      casesOf({}).some(one => one.name === name),
    )
    expect(told.map(([name, rule]) => [name, rule])).toEqual(casesOf({}).map(({ name, rule }) => [name, rule]))
    for (const lack of new Set(told.flatMap(([, , needs = '']) => needs.split(', ')).filter(need => need !== ''))) {
      const skipped = casesOf({ [lack]: 'It has none.' })
        .filter(({ skip }) => skip !== undefined)
        .map(({ name }) => name)
      expect(told.filter(([, , needs = '']) => needs.split(', ').includes(lack)).map(([name]) => name)).toEqual(skipped)
    }
  }
})
