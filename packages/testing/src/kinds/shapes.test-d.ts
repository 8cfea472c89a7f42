import { expectTypeOf, test } from 'vitest'
import type {
  AgentContextShape, EvaluateContextShape, ExpandContextShape, FormatterShape, InvocationShape, KindProvider, LexContextShape, LexedShape, ListingShape, MessageShape, OutcomeShape,
  PermissionDecisionShape, PermissionRequestShape, PermissionShape, TokenShape, ExecutorShape, ExpanderShape, ExpandShape, ForkEndShape, HookDecisionShape, RunnerShape, RunProgressShape, RunRequestShape, RunResultShape,
} from '@skills/testing'
import type { AgentContext, Executor, ForkEnd, HookDecision, Invocation, Message, Outcome, Permission, PermissionDecision, PermissionRequest, Runner, RunProgress, RunRequest, RunResult } from '@skills/invocation'
import type { EvaluateContext, expand, ExpandContext, Expander, LexContext, Lexed, Token } from '@skills/invocation/template'
import type { Formatter, Listing } from '@skills/invocation/skill-tool'
import type { Provider } from '@skills/core'

test('the shapes of kinds are those that their packages define', () => {
  expectTypeOf<PermissionRequestShape>().toEqualTypeOf<PermissionRequest>()
  expectTypeOf<PermissionDecisionShape>().toEqualTypeOf<PermissionDecision>()
  expectTypeOf<PermissionShape>().toEqualTypeOf<Permission>()
  expectTypeOf<InvocationShape>().toEqualTypeOf<Invocation>()
  expectTypeOf<MessageShape>().toEqualTypeOf<Message>()
  expectTypeOf<AgentContextShape>().toEqualTypeOf<AgentContext>()
  expectTypeOf<OutcomeShape>().toEqualTypeOf<Outcome>()
  expectTypeOf<ExecutorShape>().toEqualTypeOf<Executor>()
  expectTypeOf<ForkEndShape>().toEqualTypeOf<ForkEnd>()
  expectTypeOf<HookDecisionShape>().toEqualTypeOf<HookDecision>()
  expectTypeOf<RunRequestShape>().toEqualTypeOf<RunRequest>()
  expectTypeOf<RunProgressShape>().toEqualTypeOf<RunProgress>()
  expectTypeOf<RunResultShape>().toEqualTypeOf<RunResult>()
  expectTypeOf<RunnerShape>().toEqualTypeOf<Runner>()
  expectTypeOf<LexContextShape>().toEqualTypeOf<LexContext>()
  expectTypeOf<LexedShape>().toEqualTypeOf<Lexed>()
  expectTypeOf<TokenShape>().toEqualTypeOf<Token>()
  expectTypeOf<ExpandContextShape>().toEqualTypeOf<ExpandContext>()
  expectTypeOf<EvaluateContextShape>().toEqualTypeOf<EvaluateContext>()
  expectTypeOf<ExpanderShape>().toEqualTypeOf<Expander>()
  expectTypeOf<typeof expand>().toMatchTypeOf<ExpandShape>()
  expectTypeOf<ListingShape>().toEqualTypeOf<Listing>()
  expectTypeOf<FormatterShape>().toEqualTypeOf<Formatter>()
})

test('a provider of a kind is one that its contract takes, also where it asks more', () => {
  expectTypeOf<Provider<'permission', 'trust'>>().toMatchTypeOf<KindProvider<PermissionShape>>()
  expectTypeOf<Provider<'executor', 'expander'>>().toMatchTypeOf<KindProvider<ExecutorShape>>()
  expectTypeOf<Provider<'expander'>>().toMatchTypeOf<KindProvider<ExpanderShape>>()
  expectTypeOf<Provider<'runner'>>().toMatchTypeOf<KindProvider<RunnerShape>>()
  expectTypeOf<Provider<'formatter'>>().toMatchTypeOf<KindProvider<FormatterShape>>()
})
