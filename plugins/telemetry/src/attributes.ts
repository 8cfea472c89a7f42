import type { Attributes } from '@opentelemetry/api'
import type { TracedOperation, WorkFacts } from '@skills/invocation'

/** Names of facts in the GenAI conventions, and with `skills.` of those that the conventions do not name. */
const keys = {
  skill: 'gen_ai.skill.name',
  digest: 'skills.skill.digest',
  source: 'skills.skill.source',
  trigger: 'skills.trigger',
  agentId: 'gen_ai.agent.id',
  agentType: 'gen_ai.agent.name',
  session: 'gen_ai.conversation.id',
  model: 'gen_ai.request.model',
  provider: 'gen_ai.provider.name',
  tool: 'gen_ai.tool.name',
  toolUseId: 'gen_ai.tool.call.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  finishReason: 'gen_ai.response.finish_reasons',
  state: 'skills.run.state',
} as const satisfies Readonly<Record<Exclude<keyof WorkFacts, 'input' | 'output'>, string>>

/** Names of texts, for each operation. */
const texts: Readonly<Record<TracedOperation, readonly [input: string, output: string]>> = {
  chat: ['gen_ai.input.messages', 'gen_ai.output.messages'],
  execute_tool: ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
  invoke_agent: ['skills.input', 'skills.output'],
  invoke_skill: ['skills.arguments', 'skills.output'],
}

/** Names of providers in the conventions, where the AI SDK has other ones. */
const providers: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

/**
 * Returns the attributes of a span.
 * @param content true to include texts
 */
export function attributesOf(operation: TracedOperation, facts: WorkFacts, content: boolean): Attributes {
  const attributes: Attributes = {}
  for (const [fact, key] of Object.entries(keys)) {
    const value: unknown = Reflect.get(facts, fact)
    if (typeof value === 'string' || typeof value === 'number') attributes[key] = shown(fact, value)
  }
  const [input, output] = texts[operation]
  if (content && facts.input !== undefined) attributes[input] = textOf(facts.input)
  if (content && facts.output !== undefined) attributes[output] = textOf(facts.output)
  return attributes
}

/**
 * Returns the labels of metrics. Ids and digests are not included, because each value of a label makes a separate
 * series.
 */
export function labelsOf(operation: TracedOperation, facts: WorkFacts): Attributes {
  const { skill, source, trigger, agentType, model, provider, tool } = facts
  const few = { skill, source, trigger, agentType, model, provider, tool }
  return { 'gen_ai.operation.name': operation, ...attributesOf(operation, few, false) }
}

function shown(fact: string, value: string | number): string | number | string[] {
  if (fact === 'trigger') return value === 'user' ? 'typed' : value
  if (fact === 'finishReason') return [String(value)]
  // `anthropic.messages` names the API after the dot.
  const [provider = ''] = fact === 'provider' ? String(value).split('.') : []
  return fact === 'provider' ? (providers[provider] ?? provider) : value
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // The result of a tool may not be JSON, for example because it is cyclic.
    return String(value)
  }
}
