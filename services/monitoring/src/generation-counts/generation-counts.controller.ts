import { Controller } from '@nestjs/common';
import { getGenerationCounts, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { countedFields } from './generation-counts.ts';
import { GenerationCountsRepository } from './generation-counts.repository.ts';

@Controller()
export class GenerationCountsController {
  constructor(private readonly counts: GenerationCountsRepository) {}

  @Route(getGenerationCounts)
  async read(@Input() { scope }: InputOf<typeof getGenerationCounts>): Promise<ResponseOf<typeof getGenerationCounts>> {
    const row = await this.counts.find(scope);
    const counts = Object.fromEntries(countedFields.map((field) => [field, row?.[field] ?? 0])) as Record<
      (typeof countedFields)[number],
      number
    >;
    return { ...counts, since: (row?.since ?? new Date()).toISOString() };
  }
}
