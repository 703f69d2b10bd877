import { Controller } from '@nestjs/common';
import { listLedgerEntries, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { LedgerService } from './ledger.service.ts';

@Controller()
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  @Route(listLedgerEntries)
  list(@Input() { scope, query }: InputOf<typeof listLedgerEntries>): Promise<ResponseOf<typeof listLedgerEntries>> {
    return this.ledger.list(scope, query);
  }
}
