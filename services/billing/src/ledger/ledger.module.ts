import { Module } from '@nestjs/common';
import { LedgerConsumer } from './ledger.consumer.ts';
import { LedgerController } from './ledger.controller.ts';
import { LedgerRepository } from './ledger.repository.ts';
import { LedgerService } from './ledger.service.ts';

@Module({ controllers: [LedgerController, LedgerConsumer], providers: [LedgerService, LedgerRepository] })
export class LedgerModule {}
