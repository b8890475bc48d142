/**
 * Words that attackers try first. A password that is one of them with added digits, signs, capitals or look-alike letters is refused
 * (passwords.ts). Listed in lower case and without additions, so they may be shorter than a password.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwords passphrase passcode passme motdepasse contrasena contrasenya senha wachtwoord haslo heslo parola salasana
  losenord adgangskode secret secrets secreto geheim topsecret mysecret default changeme changemenow changeit change changethis letmein
  letmeinnow letmeinplease openup opensesame trustno trustnoone whatever nothing something anything somebody nobody iloveyou iloveu
  loveyou lovely lovelove loveme jetaime teamo tequiero ichliebedich welcome welcomehome welcomeback willkommen bienvenue bienvenido
  hello hellohello helloworld goodbye goodmorning goodnight admin admins administrator administrador administrateur adminadmin root
  rootroot toor superuser superman supervisor sysadmin system manager operator guest user users username login logon signin master
  masterkey keymaster owner service server services test tests testtest testing tester testuser demo example sample temp temporary
  temppass trial office company computer internet network website email desktop laptop windows microsoft google facebook twitter youtube
  instagram linkedin amazon apple iphone samsung android oracle database mysql postgres postgresql cisco router wireless wifi printer
  camera bodycam bodyworn dashcam dockstation evidence evidencia officer officers police policeman policia polizei politie polis sheriff
  sheriffs deputy detective sergeant captain lieutenant chief trooper patrol precinct station policestation department investigator
  sallyport handcuffs badge badgenumber dispatch dispatcher emergency crime justice lawandorder security secure safety protect
  protected access accessgranted qwerty qwertyuiop qwertyui qwertyu qwert asdf asdfgh asdfghjk asdfghjkl zxcv zxcvbn zxcvbnm qazwsx
  qazwsxedc wsxedc azerty azertyuiop qwertz qwertzuiop poiuytrewq lkjhgfdsa mnbvcxz qweasd qweasdzxc asdzxc qwaszx zaqwsx abcabc abcd
  abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijkl monkey dragon tiger lion eagle eagles falcon falcons wolf wolves bear bears
  shark sharks snake panther panthers cheetah leopard horse horses pony unicorn puppy kitten kitty doggie rabbit bunny butterfly turtle
  dolphin dolphins elephant giraffe penguin chicken buster max charlie buddy bailey cooper jasper rocky bandit shadow smokey ginger
  pepper maggie molly sophie lucky princess prince queen king angel angels devil jesus jesuschrist christ heaven blessed faith grace
  hope love freedom liberty peace america american usa canada england london paris berlin madrid lisbon rome texas florida california
  newyork boston chicago dallas houston phoenix vegas denver austin seattle portland scotland ireland australia germany deutschland
  france francais espana italia portugal brasil mexico russia moskva china japan india mumbai delhi africa football footballer soccer
  baseball basketball hockey golf golfer tennis rugby cricket fishing hunting hunter camping racing racer nascar boxing wrestling
  skiing runner running swimming surfing skater yankees redsox cowboys cowboy steelers packers patriots broncos raiders dodgers lakers
  celtics bulls giants rangers warriors arsenal chelsea liverpool manchester manunited barcelona realmadrid juventus bayern dortmund
  ajax benfica porto celtic everton tottenham newcastle mercedes porsche ferrari mustang corvette camaro chevy chevrolet toyota honda
  nissan yamaha kawasaki harley harleydavidson suzuki ducati bmw audi volkswagen jeep pokemon pikachu naruto minecraft fortnite roblox
  counterstrike callofduty warcraft starcraft starwars startrek skywalker yoda vader darthvader jedi chewbacca batman spiderman
  ironman wolverine hulk thor captainamerica avengers matrix neo terminator gandalf frodo hobbit lordoftherings harrypotter hogwarts
  gryffindor slytherin snoopy mickey mickeymouse donald donaldduck garfield scooby scoobydoo simpson simpsons homer bart family guy
  michael michelle jessica jennifer ashley amanda nicole daniel daniela andrew andrea joshua matthew anthony christopher christian
  christine robert william thomas joseph david john johnny james jordan jordans george martin patrick stephen steven kevin brian
  justin brandon jason nathan nicholas alexander alexandra alexandre benjamin samantha elizabeth victoria isabella olivia emma hannah
  sarah laura julia maria mariana carlos antonio francisco fernando ricardo eduardo sebastian gabriel gabriela rafael miguel pedro
  summer winter spring autumn fall january february march april may june july august september october november december monday tuesday
  wednesday thursday friday saturday sunday weekend birthday holiday vacation christmas merrychristmas halloween easter newyear
  happynewyear valentine sunshine sunflower rainbow flower flowers rose daisy butter cookie cookies chocolate banana orange cherry
  strawberry blueberry apple peaches pineapple pumpkin cheese pizza burger bacon coffee whiskey vodka tequila corona budweiser guinness
  beer money dollar dollars million millionaire billion rich richard casino poker lottery winner champion champions number one two
  three four onetwothree onetwothreefour numberone babygirl babyboy baby babe honey sweetheart sweetie darling beautiful gorgeous
  handsome sexy sexygirl hottie cutie cutiepie mother mommy mom father daddy dad brother sister grandma grandpa mylove myfamily mykids
  forever forevermore together friends friendship bestfriend bestfriends lovers married kisses smile happy happiness dream dreams
  dreamer magic magical mystery wonder wizard ninja samurai pirate pirates viking vikings knight warrior soldier army navy marine
  marines airforce military sniper gunner killer assassin zombie vampire ghost monster demon satan metallica nirvana slipknot eminem
  beatles ledzeppelin pinkfloyd rollingstones music musical guitar guitars drummer piano rocknroll hiphop dancer dancing star stars
  starlight moon moonlight moonshine sun galaxy universe planet earth mars thunder lightning storm hurricane tornado fire firefighter
  fireman water river ocean mountain forest garden blue red green yellow black white purple pink silver golden gold diamond diamonds
  crystal pearl emerald platinum blessing blah blahblah fuckyou fuckoff fuckme fucker fuckit asshole bitch bullshit shithead
  motherfucker biteme idontknow idontcare ihateyou whatsup whocares nopassword mypassword thepassword yourpassword newpassword
  oldpassword firstpassword userpassword adminpassword rootpassword passwordpassword thisismypassword
  trustworthy sesame abracadabra alohomora supercalifragilistic foobar foobarbaz loremipsum quickbrownfox
  thequickbrownfox iamthebest iamgod godisgood godisgreat jesuslovesme ilovejesus ilovegod ilovemyfamily ilovemymom ilovemydad
  ilovemywife ilovemyself ilovechocolate ilovepizza ilovefootball liverpoolfc arsenalfc chelseafc manutd redbull mountaindew cocacola
  pepsicola drpepper playstation nintendo xbox gameboy sega supermario zelda sonic tetris`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Common passwords of twelve or more characters that are no word of the list above, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qaz@wsx#edc !qaz2wsx#edc !qaz@wsx3edc q1w2e3r4t5y6
  q1w2e3r4t5y6u7i8 zaq12wsxcde3 zaq1xsw2cde3 zaq1@wsxcde3 1a2b3c4d5e6f a1b2c3d4e5f6 a1s2d3f4g5h6 aa112233bbcc abcd1234abcd
  abcd1234efgh 1234qwerasdf 1234qwerasdfzxcv qwer1234asdf qwer1234asdf5678 qwe123asd456 asd123qwe456 qwe123qwe123 asd123asd123
  123qweasdzxc 123qwe123qwe 123456qwerty 123456789abc abc123456789 123abc123abc abc123abc123 147258369147 147258369000 741852963000
  159357159357 112233445566 121212343434 123321123321 123123456456 010203040506 102030405060 314159265358 271828182845 314159265359
  1123581321345 p@ssw0rd1234 p@$$w0rd1234 p4ssw0rd1234 pa55word1234 pa$$word1234 l3tm31n12345 w3lc0m312345 adm1n1str4t0r
  4dm1n1str4t0r adm1nadm1n123 r00tr00tr00t 7777777aaaaaaa zxcvbnm12345 zxcvbn123456 asdfgh123456 asdfghjkl123 qwerty123456
  iloveyou1234 iloveyou2024 iloveyou2025 iloveyou2026 trustno1trustno1 thx1138thx1138 ncc1701ncc1701 ncc1701d1701 jamesbond007
  agent007agent 007bondjames fuckyou12345 rockyou12345 rockyou2021 rockyou2024 monkey123456 dragon123456 michael12345 jordan232323
  superman1234 batman123456 pokemon12345 starwars1977 starwars1234 football1234 baseball1234 welcome12345 letmein12345 letmein1letmein
  changeme1234 changeme2024 changeme2025 changeme2026 summer2024summer summer2025summer winter2024winter winter2025winter spring2025
  testtest1234 test1234test temp1234temp guest1234guest admin1234admin admin123admin root1234root user1234user login1234login
  pass1234pass pass1234word passw0rdpassw0rd secret123secret sallyport1234 police911police officer911911 tobeornottobe mypasswordis
  whatisthepassword noonewillguess youwillneverguess idontknow1234 idontremember iforgotmypassword iforgotpassword letsgobrandon
  donttouchthis keepcalmandcarryon livelaughlove carpediem1234 hakunamatata maytheforcebewithyou winteriscoming youshallnotpass
  correcthorsebatterystaple tobeornottobe123 onceuponatime happilyeverafter theendisnear oneringtorulethemall iamyourfather houston911 justdoit1234`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
