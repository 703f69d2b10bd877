import { Injectable } from '@nestjs/common';
import {
  Problem,
  providersChanged,
  type acceptProviderOffer,
  type BodyOf,
  type createProvider,
  type PersonPrincipal,
  type Provider,
  type ProviderId,
  type ProviderOffer,
  type ResponseOf,
  type testProvider,
  type updateProvider,
} from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { runProviderTest } from './provider-test.ts';
import { isSameHost, keyHintOf, toProvider } from './provider.ts';
import type { ProviderRow } from './provider.schema.ts';
import { ProvidersRepository } from './providers.repository.ts';

const keyPurpose = 'provider-key';

@Injectable()
export class ProvidersService {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly offers: ProviderOffers,
    private readonly outbound: Outbound,
    private readonly sealer: Sealer,
    private readonly work: Work,
  ) {}

  async list(scope: OrganisationScope): Promise<Provider[]> {
    return (await this.providers.list(scope)).map(toProvider);
  }

  /** Repeating the call with the same id returns what was made. */
  async create(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    input: BodyOf<typeof createProvider>,
  ): Promise<Provider> {
    const made = await this.providers.find(scope, input.id);
    if (made) return toProvider(made);
    const { id, apiKey, ...fields } = input;
    checkDefaultModel(fields);
    const row: ProviderRow = {
      _id: id,
      orgId: scope.orgId,
      ...fields,
      ...this.sealed(scope, apiKey || null),
      createdAt: new Date(),
      version: 1,
    };
    await this.change(scope, principal, async (tx) => {
      await this.providers.create(scope, row, tx);
      return row;
    });
    return toProvider(row);
  }

  async update(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { id, ...input }: { id: ProviderId } & BodyOf<typeof updateProvider>,
  ): Promise<Provider> {
    const current = await this.find(scope, id);
    const { version, apiKey, ...fields } = input;
    checkDefaultModel({
      models: fields.models ?? current.models,
      defaultModel: fields.defaultModel ?? current.defaultModel,
    });
    const movesHost = fields.baseUrl !== undefined && !isSameHost(fields.baseUrl, current.baseUrl);
    if (movesHost && apiKey === undefined && current.sealedKey !== null) {
      throw new Problem('platform.invalid-request', {
        detail: 'The address leads to another host: give the key again.',
        errors: [{ path: 'body.apiKey', message: 'needed for another host' }],
      });
    }
    const set = { ...fields, ...(apiKey === undefined ? {} : this.sealed(scope, apiKey || null)) };
    const updated = await this.change(scope, principal, (tx) => this.providers.update(scope, { id, version, set }, tx));
    if (!updated) throw new Problem('platform.conflict', { current: toProvider(await this.find(scope, id)) });
    return toProvider(updated);
  }

  async delete(scope: OrganisationScope, principal: PersonPrincipal, id: ProviderId): Promise<void> {
    const isDeleted = await this.work.run(principal, async (tx) => {
      const hasDeleted = await this.providers.delete(scope, id, tx);
      if (hasDeleted) tx.record(providersChanged, { orgId: scope.orgId });
      return hasDeleted;
    });
    if (!isDeleted) throw new Problem('chat.provider-not-found');
  }

  async test(scope: OrganisationScope, input: BodyOf<typeof testProvider>): Promise<ResponseOf<typeof testProvider>> {
    const stored = input.providerId === undefined ? null : await this.find(scope, input.providerId);
    const mayUseStored = stored !== null && input.apiKey === undefined && isSameHost(stored.baseUrl, input.baseUrl);
    const apiKey = mayUseStored ? this.openKey(scope, stored) : input.apiKey || null;
    return runProviderTest({ baseUrl: input.baseUrl, apiKey, outbound: this.outbound.client }, input.model);
  }

  /** Only platform admins are told what runs on the machine. */
  async listOffers(principal: PersonPrincipal): Promise<ProviderOffer[]> {
    return principal.platformRole === 'admin' ? this.offers.list() : [];
  }

  async acceptOffer(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    input: BodyOf<typeof acceptProviderOffer>,
  ): Promise<Provider> {
    if (principal.platformRole !== 'admin')
      throw new Problem('platform.forbidden', {
        detail: 'Only platform admins may take over a model server of this machine.',
      });
    const offer = (await this.offers.list()).find(
      ({ source, baseUrl }) => source === input.source && baseUrl === input.baseUrl,
    );
    if (!offer) throw new Problem('chat.provider-not-found', { detail: 'The model server does not answer any more.' });
    if (offer.source !== 'environment') await this.outbound.consent(offer.baseUrl, principal.userId);
    const apiKey = offer.source === 'environment' ? (this.offers.environmentKey ?? undefined) : undefined;
    const models = offer.models.includes(input.defaultModel) ? offer.models : [input.defaultModel, ...offer.models];
    return this.create(scope, principal, {
      id: input.id,
      name: offer.name,
      baseUrl: offer.baseUrl,
      models,
      defaultModel: input.defaultModel,
      isDefault: input.isDefault,
      apiKey,
    });
  }

  openKey(scope: OrganisationScope, row: Pick<ProviderRow, 'sealedKey'>): string | null {
    return row.sealedKey === null || row.sealedKey === undefined
      ? null
      : this.sealer.open(row.sealedKey, scope.orgId, keyPurpose);
  }

  private sealed(scope: OrganisationScope, apiKey: string | null): Pick<ProviderRow, 'sealedKey' | 'keyHint'> {
    return apiKey === null
      ? { sealedKey: null, keyHint: null }
      : { sealedKey: this.sealer.seal(apiKey, scope.orgId, keyPurpose), keyHint: keyHintOf(apiKey) };
  }

  private async find(scope: OrganisationScope, id: ProviderId): Promise<ProviderRow> {
    const row = await this.providers.find(scope, id);
    if (!row) throw new Problem('chat.provider-not-found');
    return row;
  }

  private async change(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    write: (tx: Transaction) => Promise<ProviderRow | null>,
  ): Promise<ProviderRow | null> {
    return this.work.run(principal, async (tx) => {
      const written = await write(tx);
      if (!written) return null;
      if (written.isDefault) await this.providers.clearDefault(scope, written._id, tx);
      tx.record(providersChanged, { orgId: scope.orgId });
      return written;
    });
  }
}

function checkDefaultModel({ models, defaultModel }: { models: readonly string[]; defaultModel: string }): void {
  if (models.includes(defaultModel)) return;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'body.defaultModel', message: 'must be one of the models' }],
  });
}
