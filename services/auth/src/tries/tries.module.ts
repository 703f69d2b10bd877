import { Module } from '@nestjs/common';
import { Tries } from './tries.ts';

@Module({ providers: [Tries], exports: [Tries] })
export class TriesModule {}
