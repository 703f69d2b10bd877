import { createRate, endRate, findPriced, importRates, listRates } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { RatesRepository } from './rates.repository.ts';
import { RatesService } from './rates.service.ts';

export { costOf, toRate, type Tokens } from './rate.ts';
export { RatesRepository } from './rates.repository.ts';

export const ratesFeature = feature({
  routes: { list: listRates, create: createRate, end: endRate, import: importRates, findPriced },
  handlers: RatesService,
  providers: [RatesRepository],
  exports: [RatesRepository],
});
