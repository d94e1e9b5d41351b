/**
 * The passwords of at least eight characters that lead the lists of leaked ones, in lower case.
 * Runs (`12345678`) and repetitions of one character are found by rule.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password password1 password12 password123 password1234 passw0rd p@ssword p@ssw0rd p@ssw0rd1 pa55word
  pass1234 password! password1! passwort passwort1 motdepasse contraseña contrasena senha123 wachtwoord
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertz123 azerty123
  azertyuiop 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc qazwsxedc qazwsx123 zaq12wsx
  zaq1zaq1 q1w2e3r4 q1w2e3r4t5 asdfghjk asdfghjkl asdfasdf asdf1234 asdfqwer zxcvbnm1 zxcvbnm123
  zxcvbnm, 1234567890 0123456789 0987654321 12345678910 123456789a 123456789q 12345678a a12345678
  a123456789 1234567a 1234qwer qwer1234 123qweasd 123qwe123 12341234 11223344 112233445566 12121212
  123123123 123321123 147258369 159753456 987654321 1a2b3c4d 1234abcd abcd1234 abc12345 abc123456
  abcdefg1 abcdef123 aa123456 aa12345678 iloveyou iloveyou1 iloveyou2 iloveyou! ilovegod iloveme1
  loveyou1 lovelove princess princess1 sunshine sunshine1 football football1 baseball baseball1
  basketball superman superman1 batman123 spiderman starwars starwars1 pokemon1 pokemon123 michael1
  jennifer jessica1 ashley123 charlie1 jordan23 michelle danielle anthony1 samantha alexander elizabeth
  victoria benjamin nicholas jonathan patricia christian computer computer1 internet internet1 corvette
  mercedes ferrari1 chelsea1 liverpool liverpool1 arsenal1 barcelona barcelona1 realmadrid manchester
  steelers cowboys1 welcome1 welcome12 welcome123 welcome1! letmein1 letmein123 trustno1 whatever
  whatever1 blink182 dragon123 monkey123 shadow123 master123 hello123 hello1234 hellohello helloworld
  freedom1 fuckyou1 fuckyou2 fuckyou! asshole1 bullshit killer123 hunter22 hunter123 mustang1 harley123
  maverick cheese123 chocolate butterfly blessed1 jesus123 jesuschrist angel123 babygirl babygirl1
  sweetheart forever1 summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025
  summer2026 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 spring2024
  spring2025 spring2026 autumn2024 autumn2025 autumn2026 january1 december november september october1
  changeme changeme1 changeme123 change123 default1 default123 temp1234 test1234 test12345 testtest
  testing1 testing123 guest123 user1234 username administrator admin123 admin1234 admin12345
  admin123456 adminadmin root1234 rootroot toor1234 master12 secret12 secret123 access14 letmein!
  login123 mypassword mypass123 newpassword nopassword yourpassword thepassword password0 password2
  password3 password5 password7 password9 password01 password11 password21 password99 passpass
  pass12345 pass123456 passwords passphrase q1w2e3r4t5y6 qwe12345 qweasdzxc qweqweqwe 12qwaszx
  1qazxsw2 !qaz2wsx 1qaz!qaz zxcvbnmasdfghjklqwertyuiop poiuytrewq lkjhgfdsa mnbvcxz1 87654321a
  99999999a 55555555a 88888888a a1b2c3d4 a1b2c3d4e5 abc123abc abcabcabc xxxxxxxx1 football12 rockyou1
  minecraft minecraft1 fortnite1 roblox123 google123 facebook facebook1 linkedin linkedin1 microsoft
  samsung1 samsung123 android1 iphone123 myspace1 youtube1 dropbox1 adobe123 photoshop documents
  pdfnorm1 pdfnorm123 normalize invoice1 business company1 company123 office123 office365 support1
  qwaszx12 gfhjkm123 ytrewq321 123456abc 123456qwerty 123456aa 123456qq 1234567q 123abc123 1q2w3e4r!
  p4ssw0rd p4ssword pa$$w0rd pa$$word passw0rd1 passw0rd! passw0rd123 admin@123 welcome@123 abcd@1234
  pass@123 pass@1234 password@1 password@123 qwerty@123 test@123 india123 china123 canada123 london123
  `
    .trim()
    .split(/\s+/),
)
