import { Module } from '@nestjs/common';
import { auditFeature } from '../audit/index.ts';
import { groupsFeature } from '../groups/index.ts';
import { rightsFeature } from '../rights/index.ts';
import { BudgetActsConsumer } from './budget-acts.consumer.ts';

@Module({ imports: [auditFeature, groupsFeature, rightsFeature], controllers: [BudgetActsConsumer] })
export class BudgetActsModule {}
