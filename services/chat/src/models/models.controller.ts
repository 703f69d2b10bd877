import { Controller } from '@nestjs/common';
import { listModels, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { DocumentsService } from '../documents/index.ts';
import { ModelsService } from './models.service.ts';

@Controller()
export class ModelsController {
  constructor(
    private readonly models: ModelsService,
    private readonly documents: DocumentsService,
  ) {}

  @Route(listModels)
  async list(@Input() { scope }: InputOf<typeof listModels>): Promise<ResponseOf<typeof listModels>> {
    const [items, { documentCount, indexedAt }] = await Promise.all([
      this.models.list(scope),
      this.documents.state(scope),
    ]);
    return { items, documentCount, indexedAt: indexedAt?.toISOString() ?? null };
  }
}
