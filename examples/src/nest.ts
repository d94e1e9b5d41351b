import 'reflect-metadata'
import { Controller, HttpCode, Module, Post, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { pipeline } from 'node:stream/promises'
import { Pdfnorm } from '@pdfnorm/sdk'
import { expressHandler } from '@pdfnorm/sdk/express'
import type { Request, Response } from 'express'

const pdfnorm = new Pdfnorm() // PDFNORM_BASE_URL and PDFNORM_API_KEY
const secret = process.env['PDFNORM_WEBHOOK_SECRET'] ?? ''

const hook = expressHandler(secret, (event) => {
  console.log(event.event, event.data)
})

@Controller()
class Documents {
  @Post('normalize')
  @HttpCode(200)
  async normalize(@Req() request: Request, @Res() response: Response): Promise<void> {
    const submission = await pdfnorm.normalizeAndWait(request)
    if (submission.status !== 'SUCCESS') {
      response.status(422).json(submission.failure)
      return
    }
    const pdf = pdfnorm.downloadArtifact(submission.outputHash).stream()
    response.type('application/pdf')
    await pipeline(pdf, response)
  }

  @Post('hook')
  async hook(@Req() request: Request, @Res() response: Response): Promise<void> {
    await hook(request, response)
  }
}

@Module({ controllers: [Documents] })
class App {}

// No parser: PDFs are passed on as they come, and webhooks are signed over their bytes.
const app = await NestFactory.create(App, { bodyParser: false, logger: ['error'] })
await app.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1')
