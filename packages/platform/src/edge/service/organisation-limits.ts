import { Injectable, type Type } from '@nestjs/common';
import {
  ceilingNames,
  quotaLimits,
  type authLimitChanged,
  type billingLimitChanged,
  type chatLimitChanged,
  type CeilingName,
  type listAuthLimits,
  type listBillingLimits,
  type listChatLimits,
  type listMonitoringLimits,
  type listOrgLimits,
  type monitoringLimitChanged,
  type OrganisationLimit,
  type orgLimitChanged,
  type setAuthLimit,
  type setBillingLimit,
  type setChatLimit,
  type setMonitoringLimit,
  type setOrgLimit,
} from '@parley/contracts';
import { Problem, type ResponseOf } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Transaction } from '../../rows/mongo/index.ts';
import { Quotas, type CountedQuota } from '../../rows/quotas/index.ts';
import { Work } from '../../events/work/index.ts';
import { feature } from './feature.ts';
import type { InputOf } from './route.ts';

type ListLimits =
  | typeof listAuthLimits
  | typeof listOrgLimits
  | typeof listChatLimits
  | typeof listBillingLimits
  | typeof listMonitoringLimits;
type SetLimit =
  | typeof setAuthLimit
  | typeof setOrgLimit
  | typeof setChatLimit
  | typeof setBillingLimit
  | typeof setMonitoringLimit;
type Changed =
  | typeof authLimitChanged
  | typeof orgLimitChanged
  | typeof chatLimitChanged
  | typeof billingLimitChanged
  | typeof monitoringLimitChanged;

type Parts = {
  readonly list: ListLimits;
  readonly set: SetLimit;
  readonly changed: Changed;
  /** Default ceilings, if a setting of the service replaces those of `quotaLimits`. */
  readonly defaults?: Readonly<Partial<Record<CeilingName, number>>>;
  /** The service's quotas without a stored counter, each with the function that counts its rows. */
  readonly counted?: readonly CountedQuota[];
};

/** Creates the routes for limits that a service counts, which platform admins see and set for each organisation. */
export function organisationLimits({ list, set, changed, defaults = {}, counted = [] }: Parts): Type {
  const own = ceilingNames.filter((name) => quotaLimits[name].service === list.service);

  @Injectable()
  class OrganisationLimits {
    private readonly quotas: Quotas;

    constructor(
      mongo: Mongo,
      private readonly work: Work,
    ) {
      this.quotas = new Quotas(mongo);
    }

    async list({ scope, params }: InputOf<ListLimits>): Promise<ResponseOf<ListLimits>> {
      const within = scope.in(params.orgId);
      return { items: await Promise.all(own.map((quota) => this.read(within, quota))) };
    }

    async set({ scope, principal, params, body }: InputOf<SetLimit>): Promise<OrganisationLimit> {
      const { orgId, quota } = params;
      const { ceiling, seen } = body;
      if (!own.includes(quota)) throw invalid('params.quota', 'is a limit of another service');
      if ((ceiling ?? 0) > quotaLimits[quota].highest)
        throw invalid('body.ceiling', `at most ${quotaLimits[quota].highest}`);
      const within = scope.in(orgId);
      return this.work.run(principal, async (tx) => {
        const before = await this.read(within, quota, tx);
        if (before.ceiling !== seen) throw new Problem('platform.conflict', { current: before });
        await this.quotas.changeCeiling(within, { quota, ceiling }, tx);
        const after = await this.read(within, quota, tx);
        if (after.ceiling !== before.ceiling || after.isSet !== before.isSet)
          tx.record(changed, { orgId, by: principal.userId, quota, ceiling: after.ceiling, earlier: before.ceiling });
        return after;
      });
    }

    private async read(scope: OrganisationScope, quota: CeilingName, tx?: Transaction): Promise<OrganisationLimit> {
      const { highest, ceiling: ofAll } = quotaLimits[quota];
      const defaultCeiling = defaults[quota] ?? ofAll;
      const shown = await this.quotas.show(scope, { quota: quota, counted, defaultCeiling }, tx);
      return { quota, ...shown, defaultCeiling, highest };
    }
  }

  return feature({ routes: { list, set }, handlers: OrganisationLimits });
}

const invalid = (path: string, message: string): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path, message }] });
