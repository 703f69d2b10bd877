export { ModelFailure, type ModelClient, type ModelTurn, type NumberedPassage } from './model-client.ts';
export { ModelsModule } from './models.module.ts';
export { ModelsService, type ChosenModel } from './models.service.ts';
