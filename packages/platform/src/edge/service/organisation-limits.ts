import { Injectable, type Type } from '@nestjs/common';
import {
  ceilingNames,
  stockLimits,
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
import { Stocks, type CountedQuota } from '../../rows/stocks/index.ts';
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
  /** Defaults that a setting of the service replaces. */
  readonly defaults?: Readonly<Partial<Record<CeilingName, number>>>;
  /** Says how quotas of an organisation without a counter are counted. */
  readonly counted?: readonly CountedQuota[];
};

/** The limits that a service counts, which platform admins see and set for each organisation. */
export function organisationLimits({ list, set, changed, defaults = {}, counted = [] }: Parts): Type {
  const own = ceilingNames.filter((name) => stockLimits[name].service === list.service);

  @Injectable()
  class OrganisationLimits {
    private readonly stocks: Stocks;

    constructor(
      mongo: Mongo,
      private readonly work: Work,
    ) {
      this.stocks = new Stocks(mongo);
    }

    async list({ scope, params }: InputOf<ListLimits>): Promise<ResponseOf<ListLimits>> {
      const within = scope.in(params.orgId);
      return { items: await Promise.all(own.map((stock) => this.read(within, stock))) };
    }

    async set({ scope, principal, params, body }: InputOf<SetLimit>): Promise<OrganisationLimit> {
      const { orgId, stock } = params;
      const { ceiling, seen } = body;
      if (!own.includes(stock)) throw invalid('params.stock', 'is a limit of another service');
      if ((ceiling ?? 0) > stockLimits[stock].highest)
        throw invalid('body.ceiling', `at most ${stockLimits[stock].highest}`);
      const within = scope.in(orgId);
      return this.work.run(principal, async (tx) => {
        const before = await this.read(within, stock, tx);
        if (before.ceiling !== seen) throw new Problem('platform.conflict', { current: before });
        await this.stocks.changeCeiling(within, { stock, ceiling }, tx);
        const after = await this.read(within, stock, tx);
        if (after.ceiling !== before.ceiling || after.isSet !== before.isSet)
          tx.record(changed, { orgId, by: principal.userId, stock, ceiling: after.ceiling, earlier: before.ceiling });
        return after;
      });
    }

    private async read(scope: OrganisationScope, stock: CeilingName, tx?: Transaction): Promise<OrganisationLimit> {
      const { highest, ceiling: ofAll } = stockLimits[stock];
      const defaultCeiling = defaults[stock] ?? ofAll;
      const { used, ceiling, isSet } = await this.stocks.show(scope, { quota: stock, counted, defaultCeiling }, tx);
      // Emails are counted by the hour.
      return { stock, used: stock === 'emails' ? null : used, ceiling, defaultCeiling, highest, isSet };
    }
  }

  return feature({ routes: { list, set }, handlers: OrganisationLimits });
}

const invalid = (path: string, message: string): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path, message }] });
