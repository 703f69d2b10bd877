import { afterAll } from '@jest/globals';
import type { embeddingEnded, ConnectionId, DocumentId, reserveBudget } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { Problem, type BodyOf, type DataOf } from '@parley/protocol';
import { oneAttempt, silentLogger, testStore } from '@parley/testing';
import { anEmbeddingServer } from '@parley/testing/model-streams';
import type { Reloads } from '../reloads.ts';
import { HardLimits, Reservations } from '../assistants/budgets/index.ts';
import { chatConfig, chatSettings } from '../chat.config.ts';
import { defaultConnectionIdOf } from '../knowledge/connections/index.ts';
import { EmbeddingModels, embedPassages } from '../assistants/models/index.ts';
import { Outbound } from '../assistants/models/outbound.ts';
import type { ProviderOffers } from '../assistants/models/provider-offers.ts';
import { ProvidersRepository } from '../assistants/models/providers.repository.ts';
import { ProvidersService } from '../assistants/models/providers.service.ts';
import { PassageVectors } from '../knowledge/retrieval/index.ts';
import { chunkRows } from '../knowledge/retrieval/chunk.collection.ts';
import { KeywordIndex } from '../knowledge/retrieval/keyword-index.ts';
import { passageVectorRows } from '../knowledge/retrieval/passage-vector.collection.ts';
import { aViewer } from './viewer.spec-setup.ts';
import { EmbeddingCalls } from '../knowledge/embeddings/embedding-calls.ts';
import { EmbeddingStep } from '../knowledge/embeddings/embedding-step.ts';
import { EmbeddingsRepository } from '../knowledge/embeddings/embeddings.repository.ts';
import { EmbeddingsService } from '../knowledge/embeddings/embeddings.service.ts';
import { MeaningSearch } from '../knowledge/embeddings/meaning-search.ts';
import { PassageSearch } from '../knowledge/embeddings/passage-search.ts';

export const tests = jobScope('tests');
export type Ended = DataOf<typeof embeddingEnded>;

/** Passages, a stand-in that embeds, and billing as far as it holds budget, on a store of its own. */
export async function embeddingBench() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const server = await anEmbeddingServer();
  afterAll(() => server.close());
  const config = chatConfig.parse({ PARLEY_OUTBOUND_ALLOW: `${server.address},127.0.0.1:9` });
  // Longer than any test: questions get their vectors, however busy the machine is.
  const settings = Object.assign(chatSettings(config, {}), { questionVectorMs: 600_000 });
  /** What was asked of billing, and whether it has any left. */
  const budget = { held: [] as BodyOf<typeof reserveBudget>[], isSpent: false };
  const call = async (_route: unknown, { body }: { body: BodyOf<typeof reserveBudget> }) => {
    if (budget.isSpent)
      throw new Problem('billing.budget-spent', { current: { budgetId: newId('budget'), amount: 7 } });
    budget.held.push(body);
    return {};
  };
  const platform = { isAlone: true, logger: silentLogger(), peers: { call } } as unknown as Platform;
  const providers = new ProvidersRepository(mongo);
  const outbound = new Outbound(providers, settings, clock, {} as Reloads);
  afterAll(() => outbound.onApplicationShutdown());
  const sealer = new Sealer(Buffer.alloc(32, 1));
  const keys = new ProvidersService(providers, {} as ProviderOffers, outbound, sealer, work, clock);
  const models = new EmbeddingModels(providers, keys, outbound);
  const limits = new HardLimits(mongo, platform, clock, {} as Reloads);
  const calls = new EmbeddingCalls(limits, new Reservations(platform), clock);
  const embeddings = new EmbeddingsRepository(mongo);
  const index = new KeywordIndex(mongo, clock, work);
  const newStep = () => new EmbeddingStep(embeddings, models, new PassageVectors(mongo), calls, work, platform);
  const newMeaning = () =>
    new MeaningSearch(embeddings, models, new PassageVectors(mongo), calls, work, platform, settings);
  const newSearch = () => new PassageSearch(index, newMeaning());

  async function put(
    scope: OrganisationScope,
    texts: readonly string[],
    {
      id = newId('document'),
      connectionId = defaultConnectionIdOf(scope.orgId),
    }: { id?: DocumentId; connectionId?: ConnectionId } = {},
  ): Promise<DocumentId> {
    const passages = texts.map((text) => ({ heading: null, text }));
    await index.replace(scope, { id, name: 'Handbook', connectionId }, passages);
    return id;
  }

  /** An organisation whose provider names this model, unless it names none. */
  async function anOrganisation(model: string | null = 'embed-1') {
    const { scope, principal } = aViewer();
    const id = newId('provider');
    const fields = { kind: 'openai-compatible', name: 'P', baseUrl: server.url, models: ['m'], defaultModel: 'm' };
    const body = { id, ...fields, isDefault: false, thinks: false, embeddingModel: model };
    await keys.create({ scope, principal, body } as never);
    const name = async (embeddingModel: string | null) => {
      const version = (await providers.find(scope, id))!.version;
      await keys.update({ scope, principal, params: { providerId: id }, body: { version, embeddingModel } } as never);
    };
    return { scope, principal, providerId: id, name };
  }

  /** One attempt at the job, if something wants it. */
  const oneStep = ({ orgId }: OrganisationScope) =>
    oneAttempt(store, { job: embedPassages, key: orgId, runner: newStep() });

  /** Steps until nothing is left to do, a minute apart; at most so many. */
  async function embedAll(scope: OrganisationScope, most = 12): Promise<void> {
    for (let steps = 0; steps < most; steps += 1) {
      clock.advance(61_000);
      await oneStep(scope);
    }
  }

  const all = (scope: OrganisationScope) => ({
    vectors: () =>
      mongo
        .rows(passageVectorRows)
        .within(scope)
        .find({ orgId: scope.orgId }, { sort: { _id: 1 } }),
    chunks: () => mongo.rows(chunkRows).within(scope).find({ orgId: scope.orgId, hasVector: true }),
    told: async () =>
      (await store.recorded())
        .filter(({ type, tenantid }) => type === 'embedding.ended.v1' && tenantid === scope.orgId)
        .map(({ data }) => data as Ended),
  });

  const asker = { userId: newId('user'), groupIds: [], chatbotId: newId('chatbot') };
  const search = newSearch();
  const found = async (scope: OrganisationScope, text: string, within = [defaultConnectionIdOf(scope.orgId)]) =>
    (await search.find(scope, within, { text, asker, most: 10 })).map((passage) => passage.text);

  const limit = (scope: OrganisationScope) =>
    work.run(job('tests'), (tx) =>
      limits.keep(
        scope,
        {
          orgId: scope.orgId,
          budgetId: newId('budget'),
          version: 1,
          change: 'created',
          scope: { kind: 'organisation' },
          hasHardLimit: true,
        },
        tx,
      ),
    );

  return {
    ...store,
    server,
    budget,
    providers,
    keys,
    embeddings,
    index,
    newStep,
    oneStep,
    newSearch,
    newMeaning,
    models,
    calls,
    platform,
    put,
    anOrganisation,
    embedAll,
    all,
    asker,
    found,
    limit,
    settings,
    service: new EmbeddingsService(embeddings, models, new PassageVectors(mongo)),
  };
}
