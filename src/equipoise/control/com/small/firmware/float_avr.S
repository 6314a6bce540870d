/* Sums and products of single precision for AVR, the same bits as those of avr-libc in
   some two thirds of its time. Numbers that are zero, below the normal ones, infinite or
   none at all, and products near the ends of the range, are left to avr-libc.

   a in r25:r22, b in r21:r18, outcome in r25:r22; all else as the compiler expects. */

#define ZERO r1
#define GUARD r27
#define STICKY r31

	.section .text.float_avr, "ax", @progbits

/* --- sums ------------------------------------------------------------------------ */

	.global __subsf3
	.global __addsf3

sum_special_b:
	lsr r21
	ror r20
	mov r21, r0
	eor r21, r30            /* its sign back */
	lsr r24                 /* a as it came, but for its exponent's last bit */
	bst r25, 0
	bld r24, 7
	mov r25, r30
	rjmp sum_library
sum_special_a:
	bst r25, 0
	lsr r24
	bld r24, 7
	mov r25, r30
sum_library:
	clr r27
	clr r26
	call __addsf3x
	jmp __fp_round

sum_swap:
	brtc 1f
	com r30
1:	movw r0, r22
	movw r22, r18
	movw r18, r0
	movw r0, r24
	movw r24, r20
	movw r20, r0
	clr ZERO
	rjmp sum_ordered

__subsf3:
	subi r21, 0x80
__addsf3:
	mov r30, r25            /* sign of the outcome, if |a| is the larger one */
	mov r0, r25
	eor r0, r21
	bst r0, 7               /* T: the signs differ */
	lsl r24
	rol r25                 /* exponent of a */
	breq sum_special_a
	cpi r25, 0xff
	breq sum_special_a
	lsl r20
	rol r21                 /* exponent of b */
	breq sum_special_b
	cpi r21, 0xff
	breq sum_special_b
	lsr r24
	ori r24, 0x80
	lsr r20
	ori r20, 0x80
	cp r22, r18
	cpc r23, r19
	cpc r24, r20
	cpc r25, r21
	brlo sum_swap
sum_ordered:                    /* |a| >= |b| */
	clr GUARD
	clr STICKY
	mov r26, r25
	sub r26, r21
	breq sum_aligned
	cpi r26, 8
	brlo sum_near
	cpi r26, 32
	brsh sum_round          /* b is too small to count */
1:	or STICKY, GUARD
	mov GUARD, r18
	mov r18, r19
	mov r19, r20
	clr r20
	subi r26, 8
	breq sum_aligned
	cpi r26, 8
	brsh 1b
2:	lsr r20
	ror r19
	ror r18
	ror GUARD
	brcc 3f
	ori STICKY, 1
3:	dec r26
	brne 2b
	rjmp sum_aligned
sum_near:                       /* b moves by less than a byte: no bit is lost */
	lsr r20
	ror r19
	ror r18
	ror GUARD
	dec r26
	brne sum_near
sum_aligned:
	brts sum_difference
	add r22, r18
	adc r23, r19
	adc r24, r20
	brcc sum_round
	ror r24
	ror r23
	ror r22
	ror GUARD
	brcc 1f
	ori STICKY, 1
1:	inc r25
	cpi r25, 0xff
	breq sum_infinite
sum_round:
	lsl r24                 /* put together, sign first */
	lsr r25
	ror r24
	bst r30, 7
	bld r25, 7
	lsl GUARD
	brcs sum_up
	ret
sum_up:                         /* half or more of the last bit */
	or GUARD, STICKY
	brne 1f
	sbrs r22, 0
	ret
1:	subi r22, 0xff
	sbci r23, 0xff
	sbci r24, 0xff
	sbci r25, 0xff
	ret

sum_difference:
	clr r26
	cp ZERO, STICKY
	sbc r26, GUARD
	sbc r22, r18
	sbc r23, r19
	sbc r24, r20
	mov GUARD, r26
	brmi sum_round
	mov r0, r24
	or r0, r23
	or r0, r22
	or r0, GUARD
	breq sum_zero
4:	cpi r25, 1
	breq sum_small
	dec r25
	lsl GUARD
	rol r22
	rol r23
	rol r24
	brpl 4b
	rjmp sum_round
sum_small:                      /* below the normal numbers */
	clr r25
	rjmp sum_round
sum_zero:
	clr r25
	ret

sum_infinite:
	clr r22
	clr r23
	ldi r24, 0x80
	ldi r25, 0x7f
	bst r30, 7
	bld r25, 7
	ret

/* --- products -------------------------------------------------------------------- */

	.global __mulsf3

product_special_b:
	bst r21, 0
	lsr r20
	bld r20, 7
	mov r21, r31
product_special_a:
	bst r25, 0
	lsr r24
	bld r24, 7
	mov r25, r30
	call __mulsf3x
	jmp __fp_round

__mulsf3:
	mov r30, r25            /* as they came */
	mov r31, r21
	lsl r24
	rol r25
	breq product_special_a
	cpi r25, 0xff
	breq product_special_a
	lsl r20
	rol r21
	breq product_special_b
	cpi r21, 0xff
	breq product_special_b
	mov r26, r25            /* exponents add; far from both ends? */
	add r26, r21
	brcs 1f
	brpl product_special_b
	rjmp 2f
1:	cpi r26, 124
	brsh product_special_b
2:	subi r26, 127
	eor r30, r31
	bst r30, 7
	mov r25, r26
	lsr r24
	ori r24, 0x80
	lsr r20
	ori r20, 0x80
	mul r22, r18            /* six bytes: r19 r22 r26 r27 r31 r30 */
	movw r30, r0
	clr r27
	mul r23, r18
	add r31, r0
	adc r27, r1
	clr r26
	mul r22, r19
	add r31, r0
	adc r27, r1
	adc r26, r26
	mul r22, r20
	clr r22
	add r27, r0
	adc r26, r1
	adc r22, r22
	mul r24, r18
	clr r18
	add r27, r0
	adc r26, r1
	adc r22, r18
	mul r23, r19
	add r27, r0
	adc r26, r1
	adc r22, r18
	mul r24, r19
	clr r19
	add r26, r0
	adc r22, r1
	adc r19, r18
	mul r23, r20
	add r26, r0
	adc r22, r1
	adc r19, r18
	mul r24, r20
	add r22, r0
	adc r19, r1
	clr ZERO
	tst r19
	brmi 3f
	lsl r31
	rol r27
	rol r26
	rol r22
	rol r19
	rjmp 4f
3:	inc r25
4:	lsl r19                 /* put together, sign first */
	lsr r25
	ror r19
	mov r24, r19
	bld r25, 7
	mov r23, r22
	mov r22, r26
	lsl r27
	brcs product_up
	ret
product_up:
	or r27, r31
	or r27, r30
	brne 1f
	sbrs r22, 0
	ret
1:	subi r22, 0xff
	sbci r23, 0xff
	sbci r24, 0xff
	sbci r25, 0xff
	ret
