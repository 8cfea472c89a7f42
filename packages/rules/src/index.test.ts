import { expect, test } from 'vitest'
import * as exported from './index.js'

test('what the package exports is what is meant to be used', () => {
  expect(Object.keys(exported).toSorted()).toEqual([
    'RuleSet',
    'ToolRules',
    'allowsNothing',
    'broadForm',
    'broadProbe',
    'covers',
    'effectsOf',
    'escapeContent',
    'escapePath',
    'fileUseOf',
    'filesInScript',
    'findEach',
    'fitsWildcard',
    'formatRule',
    'isHarmless',
    'isName',
    'isShell',
    'knownFileTools',
    'namedFilesProbe',
    'namesTool',
    'openPrefix',
    'parseRule',
    'runsAnything',
    'simpleCommand',
    'simpleCommands',
    'simplePowerShellCommand',
    'splitAlternatives',
    'strictProbe',
    'toolOf',
    'withoutBlanks',
  ])
})
