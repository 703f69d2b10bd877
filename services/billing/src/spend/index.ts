import { getSpend, listGroupSpend, listPrices, listSpenders } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { budgetsFeature } from '../budgets/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { ratesFeature } from '../rates/index.ts';
import { SpendService } from './spend.service.ts';

export const spendFeature = feature({
  routes: { read: getSpend, spenders: listSpenders, groups: listGroupSpend, prices: listPrices },
  handlers: SpendService,
  providers: [OrganisationCalls],
  imports: [ratesFeature, budgetsFeature],
});
