import { Injectable } from '@nestjs/common';
import {
  openApi,
  type CompletionModel,
  type createCompletion,
  type getCompletionModel,
  type getOpenApi,
  type listCompletionModels,
} from '@parley/contracts';
import { Mongo } from '@parley/platform/mongo';
import { Platform, toProblem, traceIdOf, unlessAway, type InputOf, type Member } from '@parley/platform/service';
import { isReportable, Problem, type ResponseOf } from '@parley/protocol';
import { ChatbotsService, type UsableChatbot } from '../../assistants/chatbots/index.ts';
import type { Generation } from '../generations/index.ts';
import { AnswerFollower, type AnswerPiece } from './answer-follower.ts';
import { AskCompletion, notFound, type AskedCompletion } from './ask-completion.ts';
import { CompletionEvents, problemOf, toCompletion, type CompletionHead } from './completion-texts.ts';

/** An answer that fails within this time, before its first word, still gets an HTTP error status. */
const firstWordMs = 10_000;
const heartbeatMs = 15_000;
/** The Retry-After in seconds, if other answers have reserved the budget: one of them has probably ended by then. */
const untilBudgetSeconds = 15;
const notYet = Symbol('nothing has come');

type Input = InputOf<typeof createCompletion>;
type Pieces = AsyncGenerator<AnswerPiece>;
type Next = Promise<IteratorResult<AnswerPiece>>;
type Telling = { readonly first: Next; readonly pieces: Pieces; readonly onFault: (error: unknown) => void };

/** Serves the organisation's chatbots to programs that use OpenAI's protocol. */
@Injectable()
export class CompletionsService {
  private document: Record<string, unknown> | null = null;

  constructor(
    private readonly chatbots: ChatbotsService,
    private readonly asking: AskCompletion,
    private readonly follower: AnswerFollower,
    private readonly mongo: Mongo,
    private readonly platform: Platform,
  ) {}

  async listModels(viewer: InputOf<typeof listCompletionModels>): Promise<ResponseOf<typeof listCompletionModels>> {
    const usable = await this.chatbots.usable(viewer);
    return { object: 'list', data: usable.map((one) => toModel(one, viewer.principal)) };
  }

  async getModel(input: InputOf<typeof getCompletionModel>): Promise<CompletionModel> {
    const found = (await this.chatbots.usable(input)).find(({ id }) => id === input.params.model);
    if (!found) throw notFound();
    return toModel(found, input.principal);
  }

  openApi(_input: InputOf<typeof getOpenApi>): Record<string, unknown> {
    return (this.document ??= openApi());
  }

  async create(input: Input): Promise<ResponseOf<typeof createCompletion>> {
    const { scope, principal, body, request } = input;
    const response = request.res!;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const generation = await this.askInTime(input, gone.signal);
    const head = { id: generation.completionId, created: secondsOf(generation.queuedAt), model: body.model };
    const pieces = this.follower.follow({ scope, principal, generation, gone: gone.signal });
    // Stop following the answer also if the response closes while no piece is being read.
    response.once('close', () => void pieces.return(undefined).catch(() => undefined));
    const problemOfEnd = (ended: Generation) => withWait(problemOf(ended));
    if (!body.stream) return whole(head, pieces, problemOfEnd);
    const first = pieces.next();
    const begun = await within(first, firstWordMs);
    const problem = begun !== notYet && begun.value?.ended ? problemOfEnd(begun.value.ended) : null;
    if (problem) throw problem;
    const hasUsage = body.stream_options?.include_usage === true;
    const onFault = (error: unknown) => this.report(error, request);
    return told(new CompletionEvents(head, { hasUsage }), { first, pieces, onFault });
  }

  /** Logs errors after the response has begun: no exception filter sees them. */
  private report(error: unknown, request: Input['request']): void {
    if (!isReportable(toProblem(error).code)) return;
    const { logger, reporter, deployable } = this.platform;
    const [route, traceId] = [request.path, traceIdOf(request.header('traceparent'))];
    logger.error({ traceId, path: route, err: error }, 'an answer in pieces failed');
    reporter.report(error, { deployable, during: 'request', route, traceId });
  }

  /**
   * Asks. If the caller got an error that the store is unavailable, but the question is stored afterwards, stops its
   * answer.
   */
  private async askInTime(input: Input, gone: AbortSignal): Promise<AskedCompletion> {
    const asking = this.asking.ask(input, gone);
    try {
      return await unlessAway(this.mongo, asking);
    } catch (error) {
      asking.then((late) => this.follower.stop(input.scope, late)).catch(() => undefined);
      throw error;
    }
  }
}

/** Adds a retry time if other answers have reserved the budget. */
function withWait(problem: Problem | null): Problem | null {
  if (problem?.code !== 'platform.rate-limited' || problem.extras.retryAfterSeconds !== undefined) return problem;
  return new Problem(problem.code, { ...problem.extras, retryAfterSeconds: untilBudgetSeconds });
}

async function whole(
  head: CompletionHead,
  pieces: Pieces,
  problemOfEnd: typeof problemOf,
): Promise<ResponseOf<typeof createCompletion>> {
  for await (const { ended } of pieces) {
    const problem = ended && problemOfEnd(ended);
    if (problem) throw problem;
    if (ended) return toCompletion(head, ended);
  }
  throw new Problem('chat.answer-stopped', { detail: 'Whoever asked is gone.' });
}

/** Yields the events of an answer. If the reader of the events stops, reading of the answer ends, too. */
async function* told(events: CompletionEvents, { first, pieces, onFault }: Telling): AsyncGenerator<string> {
  let next = first;
  try {
    yield events.beginning();
    for (;;) {
      const come = await within(next, heartbeatMs);
      if (come === notYet) {
        yield events.stillHere();
        continue;
      }
      if (come.done) return;
      const { ended } = come.value;
      const problem = ended && problemOf(ended);
      if (problem) yield events.failure(problem);
      else yield ended ? events.end(ended) : events.words((come.value as { text: string }).text);
      if (ended) return;
      next = pieces.next();
    }
  } catch (error) {
    onFault(error);
    yield events.failure(toProblem(error));
  } finally {
    next.catch(() => undefined);
    await pieces.return(undefined);
  }
}

async function within<Value>(coming: Promise<Value>, mostMs: number): Promise<Value | typeof notYet> {
  const late = Promise.withResolvers<typeof notYet>();
  const timer = setTimeout(() => late.resolve(notYet), mostMs);
  return Promise.race([coming, late.promise]).finally(() => clearTimeout(timer));
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

const toModel = ({ id, published }: UsableChatbot, { organisation }: Member): CompletionModel => ({
  id,
  object: 'model',
  created: published.publishedAt ? secondsOf(published.publishedAt) : 0,
  owned_by: organisation.name ?? '',
  name: published.content.name,
});
