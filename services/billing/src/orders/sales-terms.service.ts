import { Injectable } from '@nestjs/common';
import type { changeSalesTerms, getSalesTerms, SalesTerms } from '@parley/contracts';
import { jobScope, Mongo, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { RatesRepository } from '../rates/index.ts';
import { salesTermsRows } from './order.collection.ts';

const selling = jobScope('all organisations buy on the same terms');
const termsId = 'terms';

/** What seats cost and who sells them, for the whole installation. */
@Injectable()
export class SalesTermsService {
  private readonly rows: Rows<typeof salesTermsRows>;

  constructor(
    mongo: Mongo,
    private readonly rates: RatesRepository,
    private readonly work: Work,
  ) {
    this.rows = mongo.rows(salesTermsRows);
  }

  async read({ scope }: InputOf<typeof getSalesTerms>): Promise<ResponseOf<typeof getSalesTerms>> {
    const [terms, currency] = await Promise.all([this.find(scope), this.rates.currency(scope)]);
    return { terms, currency };
  }

  async change({ scope, principal, body }: InputOf<typeof changeSalesTerms>): Promise<SalesTerms> {
    const { version, ...terms } = body;
    await this.rates.assertCurrency(scope, terms.currency);
    return this.work.run(principal, async (tx) => {
      const rows = this.rows.within(scope, tx);
      const { isNew } =
        version === 0 ? await rows.insertOnce({ _id: termsId, ...terms, version: 1 }) : { isNew: false };
      const isChanged = isNew || (await rows.update({ _id: termsId, version }, { $set: terms, $inc: { version: 1 } }));
      if (!isChanged) throw new Problem('platform.conflict', { current: await this.find(scope) });
      return { ...terms, version: version + 1 };
    });
  }

  /** Null before anybody has set them. */
  async present(tx?: Transaction): Promise<SalesTerms | null> {
    return this.find(selling, tx);
  }

  private async find(scope: PlatformScope, tx?: Transaction): Promise<SalesTerms | null> {
    const row = await this.rows.within(scope, tx).findById(termsId);
    if (!row) return null;
    const { _id, ...terms } = row;
    return terms;
  }
}
