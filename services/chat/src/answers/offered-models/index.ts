import { listModels } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { ModelsModule } from '../../assistants/models/index.ts';
import { ConnectionsModule } from '../../knowledge/connections/index.ts';
import { documentsFeature } from '../../knowledge/documents/index.ts';
import { ModelPrices } from './model-prices.ts';
import { OfferedModelsService } from './offered-models.service.ts';

/** Lists the models that people can ask, and counts the documents that their answers can use. */
export const offeredModelsFeature = feature({
  routes: { list: listModels },
  handlers: OfferedModelsService,
  imports: [ModelsModule, ConnectionsModule, documentsFeature],
  providers: [ModelPrices],
});
