import { Injectable } from '@nestjs/common';
import {
  providerConfigured,
  providersChanged,
  type acceptProviderOffer,
  type createProvider,
  type deleteProvider,
  type listProviderOffers,
  type listProviders,
  type PersonPrincipal,
  type Provider,
  type ProviderId,
  type testProvider,
  type updateProvider,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Sealer } from '@parley/platform/crypto';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import { embedPassages } from './embedding-jobs.ts';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { runProviderTest } from './provider-test.ts';
import { configurationOf, isSameHost, keyHintOf, toProvider } from './provider.ts';
import type { ProviderRow } from './provider.collection.ts';
import { ProvidersRepository } from './providers.repository.ts';

const keyPurpose = 'provider-key';
type NewProvider = BodyOf<typeof createProvider>;

@Injectable()
export class ProvidersService {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly offers: ProviderOffers,
    private readonly outbound: Outbound,
    private readonly sealer: Sealer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({ scope }: InputOf<typeof listProviders>): Promise<ResponseOf<typeof listProviders>> {
    return { items: (await this.providers.list(scope)).map(toProvider), nextCursor: null };
  }

  create({ scope, principal, body }: InputOf<typeof createProvider>): Promise<Provider> {
    return this.add(scope, principal, body);
  }

  async update({ scope, principal, params, body }: InputOf<typeof updateProvider>): Promise<Provider> {
    const id = params.providerId;
    const current = await this.find(scope, id);
    const { version, apiKey, ...fields } = body;
    // What is decided here about host and key holds for this version only, which the change below asks for again.
    if (version !== current.version) throw new Problem('platform.conflict', { current: toProvider(current) });
    checkDefaultModel({
      models: fields.models ?? current.models,
      defaultModel: fields.defaultModel ?? current.defaultModel,
    });
    checkEmbedding({ kind: toProvider(current).kind, embeddingModel: fields.embeddingModel ?? null });
    const movesHost = fields.baseUrl !== undefined && !isSameHost(fields.baseUrl, current.baseUrl);
    if (movesHost && apiKey === undefined && current.sealedKey !== null) {
      throw new Problem('platform.invalid-request', {
        detail: 'The address leads to another host: give the key again.',
        errors: [{ path: 'body.apiKey', message: 'needed for another host' }],
      });
    }
    if (fields.baseUrl !== undefined && fields.baseUrl !== current.baseUrl)
      await this.outbound.client.check(fields.baseUrl);
    const set = { ...fields, ...(apiKey === undefined ? {} : this.sealed(scope, apiKey || null)) };
    const updated = await this.work.run(principal, async (tx) => {
      const row = await this.providers.update(scope, { id, version, set }, tx);
      if (!row) return null;
      await this.settle(scope, row, tx);
      this.tell(tx, principal, { before: current, after: row });
      return row;
    });
    if (!updated) throw new Problem('platform.conflict', { current: toProvider(await this.find(scope, id)) });
    return toProvider(updated);
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteProvider>): Promise<void> {
    const isDeleted = await this.work.run(principal, async (tx) => {
      const before = await this.find(scope, params.providerId);
      const hasDeleted = await this.providers.delete(scope, params.providerId, tx);
      if (!hasDeleted) return false;
      tx.record(providersChanged, { orgId: scope.orgId });
      this.tell(tx, principal, { before, after: null });
      return true;
    });
    if (!isDeleted) throw new Problem('chat.provider-not-found');
  }

  async test({ scope, body }: InputOf<typeof testProvider>): Promise<ResponseOf<typeof testProvider>> {
    const stored = body.providerId === undefined ? null : await this.find(scope, body.providerId);
    const mayUseStored = stored !== null && body.apiKey === undefined && isSameHost(stored.baseUrl, body.baseUrl);
    const apiKey = mayUseStored ? this.openKey(scope, stored) : body.apiKey || null;
    const { kind, baseUrl, model, thinks } = body;
    const server = { kind, baseUrl, apiKey, outbound: this.outbound.client };
    return runProviderTest(server, model === undefined ? null : { model, thinks });
  }

  /** Only platform admins are told what runs on the machine. */
  async listOffers({ principal }: InputOf<typeof listProviderOffers>): Promise<ResponseOf<typeof listProviderOffers>> {
    return { items: principal.platformRole === 'admin' ? await this.offers.list() : [] };
  }

  async acceptOffer({ scope, principal, body }: InputOf<typeof acceptProviderOffer>): Promise<Provider> {
    if (principal.platformRole !== 'admin')
      throw new Problem('platform.forbidden', {
        detail: 'Only platform admins may take over a model server of this machine.',
      });
    const found = (await this.offers.find()).find(
      ({ offer: { source, baseUrl } }) => source === body.source && baseUrl === body.baseUrl,
    );
    if (!found) throw new Problem('chat.provider-not-found', { detail: 'The model server does not answer any more.' });
    const { offer, contexts, images } = found;
    if (offer.source !== 'environment') await this.outbound.consent(offer.baseUrl, principal);
    const apiKey = offer.source === 'environment' ? (this.offers.environmentKey ?? undefined) : undefined;
    const models = offer.models.includes(body.defaultModel) ? offer.models : [body.defaultModel, ...offer.models];
    return this.add(scope, principal, {
      id: body.id,
      kind: 'openai-compatible',
      name: offer.name,
      baseUrl: offer.baseUrl,
      models,
      defaultModel: body.defaultModel,
      isDefault: body.isDefault,
      thinks: false,
      embeddingModel: null,
      contexts,
      images,
      apiKey,
    });
  }

  openKey(scope: OrganisationScope, row: Pick<ProviderRow, 'sealedKey'>): string | null {
    return row.sealedKey === null ? null : this.sealer.open(row.sealedKey, scope.orgId, keyPurpose);
  }

  private sealed(scope: OrganisationScope, apiKey: string | null): Pick<ProviderRow, 'sealedKey' | 'keyHint'> {
    return apiKey === null
      ? { sealedKey: null, keyHint: null }
      : { sealedKey: this.sealer.seal(apiKey, scope.orgId, keyPurpose), keyHint: keyHintOf(apiKey) };
  }

  /** Repeating the call with the same id returns what was made. */
  private async add(scope: OrganisationScope, principal: PersonPrincipal, input: NewProvider): Promise<Provider> {
    const made = await this.providers.find(scope, input.id);
    if (made) return toProvider(made);
    const { id, apiKey, ...fields } = input;
    checkDefaultModel(fields);
    checkEmbedding(fields);
    await this.outbound.client.check(fields.baseUrl);
    const given: ProviderRow = {
      _id: id,
      orgId: scope.orgId,
      ...fields,
      ...this.sealed(scope, apiKey || null),
      createdAt: this.clock.now(),
      version: 1,
    };
    return this.work.run(principal, async (tx) => {
      const { row, isNew } = await this.providers.create(scope, given, tx);
      if (!isNew) return toProvider(row);
      await this.settle(scope, row, tx);
      this.tell(tx, principal, { before: null, after: row });
      return toProvider(row);
    });
  }

  private async find(scope: OrganisationScope, id: ProviderId): Promise<ProviderRow> {
    const row = await this.providers.find(scope, id);
    if (!row) throw new Problem('chat.provider-not-found');
    return row;
  }

  /**
   * What a written provider brings with it: another one is the default, or embeds, no more, and the pickers fetch again.
   */
  private async settle(scope: OrganisationScope, written: ProviderRow, tx: Transaction): Promise<void> {
    if (written.isDefault) await this.providers.clearDefault(scope, written._id, tx);
    if (written.embeddingModel) await this.providers.clearEmbedding(scope, written._id, tx);
    tx.record(providersChanged, { orgId: scope.orgId });
  }

  /** For the organisation's audit log, and for its passages. */
  private tell(
    tx: Transaction,
    { userId: by }: PersonPrincipal,
    { before, after }: { readonly before: ProviderRow | null; readonly after: ProviderRow | null },
  ): void {
    const { orgId, _id: providerId } = (after ?? before)!;
    tx.record(providerConfigured, {
      orgId,
      providerId,
      by,
      before: before && configurationOf(before),
      after: after && configurationOf(after),
      isKeyChanged: before?.sealedKey !== after?.sealedKey,
    });
    if (before?.embeddingModel || after?.embeddingModel) tx.queue(embedPassages, { orgId });
  }
}

function checkDefaultModel({ models, defaultModel }: { models: readonly string[]; defaultModel: string }): void {
  if (models.includes(defaultModel)) return;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'body.defaultModel', message: 'must be one of the models' }],
  });
}

/** Others' protocols for it are not spoken here. */
function checkEmbedding({ kind, embeddingModel }: Pick<Provider, 'kind' | 'embeddingModel'>): void {
  if (embeddingModel === null || kind === 'openai-compatible') return;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'body.embeddingModel', message: 'only OpenAI-compatible servers are asked for vectors' }],
  });
}
