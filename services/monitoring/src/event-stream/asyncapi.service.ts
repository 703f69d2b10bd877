import { Injectable } from '@nestjs/common';
import { asyncApi } from '@parley/contracts';

/** What the event stream holds, for programs and for whoever writes them. */
@Injectable()
export class AsyncApiService {
  private readonly document = asyncApi();

  read(): Record<string, unknown> {
    return this.document;
  }
}
