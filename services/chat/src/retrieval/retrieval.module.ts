import { Module } from '@nestjs/common';
import { KeywordIndex } from './keyword-index.ts';
import { PassagesController } from './passages.controller.ts';
import { RetrievalIndex } from './retrieval-index.ts';

@Module({
  controllers: [PassagesController],
  providers: [{ provide: RetrievalIndex, useClass: KeywordIndex }],
  exports: [RetrievalIndex],
})
export class RetrievalModule {}
