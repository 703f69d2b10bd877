import { Module } from '@nestjs/common';
import { GenerationCountsConsumer } from './generation-counts.consumer.ts';
import { GenerationCountsController } from './generation-counts.controller.ts';
import { GenerationCountsRepository } from './generation-counts.repository.ts';

@Module({
  controllers: [GenerationCountsController, GenerationCountsConsumer],
  providers: [GenerationCountsRepository],
})
export class GenerationCountsModule {}
