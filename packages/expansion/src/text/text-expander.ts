import { defineProvider, type PromptCommand, type Provider } from '@skills/core'
import { ArgumentValues } from './argument-values.js'
import { Reference } from './reference.js'
import { TextLexer } from './lex.js'
import { textExpanderOptions, type TextExpanderOptions, type TextRules } from './options.js'
import { variableValue } from './variables.js'
import type { EvaluateContext } from '../template/expander.js'

/**
 * Replaces references to arguments, variables and the skill's folder in the text of a skill. See
 * docs/reference/expansion.md, "Arguments and variables".
 * @throws SkillsError `E_INVALID_OPTION` for a word that an option does not accept
 */
export function textExpander(given?: TextExpanderOptions): Provider<'expander'> {
  const rules = textExpanderOptions.read(given)
  return defineProvider({
    kind: 'expander',
    id: 'text',
    setup() {
      const lexer = new TextLexer(rules)
      // One context object is one expansion, so its arguments are split once.
      const known = new WeakMap<EvaluateContext, ArgumentValues>()
      const valuesOf = (context: EvaluateContext): ArgumentValues => {
        const values = known.get(context) ?? new ArgumentValues(context, rules)
        known.set(context, values)
        return values
      }
      return {
        claims: lexer.claims,
        lex: (text, at, context) => lexer.lex(text, at, context),
        evaluate({ data }, context) {
          if (!(data instanceof Reference)) return undefined
          switch (data.kind) {
            case 'dollar':
              return '$'
            case 'folder':
              return context.command.baseDir
            case 'variable':
              return variableValue(data.name, context)
            default:
              return valuesOf(context).valueOf(data)
          }
        },
        frame(tokens, { args, command }) {
          const values = new ArgumentValues({ args }, rules)
          // Text that got no argument, such as the price in "Costs $5", was not a reference.
          const isReferredTo = tokens.some(
            ({ data }) => data instanceof Reference && data.isArgument && values.valueOf(data) !== undefined,
          )
          return {
            before: headerOf(command, rules.header),
            after:
              rules.arguments && rules.appended !== false && values.areGiven && !isReferredTo
                ? `ARGUMENTS: ${values.text}`
                : undefined,
            isAsIs: rules.appended === 'as-is',
          }
        },
      }
    },
  })
}

function headerOf(command: PromptCommand, header: TextRules['header']): string | undefined {
  if (typeof header === 'function') return header(command)
  return header && command.baseDir !== undefined ? `Base directory for this skill: ${command.baseDir}` : undefined
}
