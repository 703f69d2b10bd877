import { Injectable } from '@nestjs/common';
import { asyncApi } from '@parley/contracts';

/** What the event stream holds, for programs and for whoever writes them. */
@Injectable()
export class AsyncApiService {
  private document: Record<string, unknown> | null = null;

  read(): Record<string, unknown> {
    return (this.document ??= asyncApi());
  }
}
